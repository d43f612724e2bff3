<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" columns="20" imageheight="80" imagewidth="320" margin="0" name="stairs" spacing="0" tilecount="100" tileheight="16" tilewidth="16">
 <image source="../../sprites/stairs.png"/>
 <tile id="3" type="rock"/>
</tileset>
