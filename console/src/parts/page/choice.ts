/** One of several values that an address may name; `otherwise` when it names another, or none. */
export const choice = <Option extends string>(
  options: readonly Option[],
  parameter: string | null,
  otherwise: Option,
): Option => options.find((option) => option === parameter) ?? otherwise
