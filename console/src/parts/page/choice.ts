/** The value of a URL parameter if it is one of the choices, else `otherwise`. */
export const choice = <Option extends string>(
  options: readonly Option[],
  parameter: string | null,
  otherwise: Option,
): Option => options.find((option) => option === parameter) ?? otherwise
