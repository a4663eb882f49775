/** `minimum_should_match` of so many. */
export function wanted(minimum: unknown, of: number): number {
  const text = String(minimum)
  if (!text.endsWith('%')) return Number(text) < 0 ? Math.max(0, of + Number(text)) : Number(text)
  const share = Number(text.slice(0, -1))
  const part = Math.floor((of * Math.abs(share)) / 100)
  return share < 0 ? of - part : part
}
