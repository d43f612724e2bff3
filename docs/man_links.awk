# man_links.awk - reads the public headers and writes, for each function and type that is described on its group's page,
# a man page of its name that leads there, and pixverlet(3), which lists the groups: -v to=DIRECTORY -v version=VERSION.
# SPDX-License-Identifier: Zlib

BEGIN {
    overview = to "/pixverlet.3"
    printf(".TH pixverlet 3 \"\" \"libpixverlet %s\" \"libpixverlet\"\n.SH NAME\n", version) >overview
    print "pixverlet \\- sprites whose opaque pixels are 2D colliders" >overview
    print ".SH SYNOPSIS\n.nf\n#include <pixverlet.h>\n" >overview
    print "cc game.c $(pkg\\-config \\-\\-cflags \\-\\-libs pixverlet)\n.fi\n.SH DESCRIPTION" >overview
    print "Each group of functions and types has a page, to which the names of its members lead, too;" >overview
    print "a struct has a page of its own.\nThe last groups are those of pixverlet/sdl.h, pixverlet/sdl_game.h and pixverlet/raylib.h." >overview
}

function lead(name) {
    printf(".so man3/pixverlet_%s.3\n", other != "" ? other : group) >(to "/" name ".3")
    close(to "/" name ".3")
    other = ""
}

match($0, /@defgroup [a-z_]+ /) {
    group = substr($0, RSTART + 10, RLENGTH - 11)
    printf(".TP\n.BR pixverlet_%s (3)\n%s\n", group, substr($0, RSTART + RLENGTH)) >overview
}
/@ingroup / { other = $NF } # of the declaration below it
/__/ { next } # private
/^(PV_API|static inline) / && match($0, /pv_[a-z0-9_]+\(/) { lead(substr($0, RSTART, RLENGTH - 1)) }
/^typedef struct pv_[a-z0-9_]+ pv_[a-z0-9_]+;$/ { lead($3) }
/^typedef enum / { lead($3) }
/^typedef .*\(\*pv_[a-z_]+_fn\)/ { match($0, /pv_[a-z_]+_fn/); lead(substr($0, RSTART, RLENGTH)) }

END { print ".SH SEE ALSO\n.BR pixverlet\\-demo (1)" >overview }
