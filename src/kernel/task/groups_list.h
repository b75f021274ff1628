/*
 * groups_list.h: numbers and operands that tasks of a family share: NUMBERS_<name> and
 * OPERANDS_<name> stand in the list of the family.
 */
NUMBERS_GROUP(attention)
NUMBERS_GROUP(lstm)
NUMBERS_GROUP(additive)
NUMBERS_GROUP(gated_mix)
NUMBERS_GROUP(modulate)
NUMBERS_GROUP(compose)
OPERANDS_GROUP(attention_inputs)
