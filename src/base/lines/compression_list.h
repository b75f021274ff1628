/* compression_list.h: the ways to pack text. COMPRESSION(name): dgm_compression_<name>. */
COMPRESSION(gzip)
COMPRESSION(zstd)
