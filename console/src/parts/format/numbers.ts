const WHOLE = new Intl.NumberFormat('en')
const SHARE = new Intl.NumberFormat('en', { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** `12,345` */
export const formatCount = (count: number): string => WHOLE.format(count)

/** `12.3%` of `total`; `<0.1%` and `>99.9%` where rounding would give 0 or 100 %. */
export function formatShare(count: number, total: number): string {
  if (total === 0 || count === 0) return SHARE.format(0)
  if (count === total) return '100%'
  const exact = count / total
  if (exact < 0.001) return '<0.1%'
  return exact > 0.999 ? '>99.9%' : SHARE.format(exact)
}
