<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" columns="17" imageheight="160" imagewidth="320" margin="3" name="ramp" spacing="2" tilecount="136" tileheight="16" tilewidth="16">
 <image source="../../sprites/ramp.png"/>
 <tile id="3" type="rock"/>
</tileset>
