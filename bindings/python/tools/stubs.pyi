# ---- World
