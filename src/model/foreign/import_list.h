/*
 * import_list.h: the models of other programs that become ours. IMPORT(name): the kind is
 * dgm_import_<name>.
 */
IMPORT(marian)
IMPORT(marian_bin)
IMPORT(hf_marian)
IMPORT(hf_m2m100)
IMPORT(fairseq)
IMPORT(opennmt)
IMPORT(ctranslate2)
