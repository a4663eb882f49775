/** Types that a format carries, as the platform tells them. */
type Carried = readonly string[] | 'any'

/** What is wrong with a format for a feed of these types; null: it carries them all. @param listed absent: all types */
export function misfit(carried: Carried, listed: readonly string[] | undefined): string | null {
  if (carried === 'any') return null
  const some = carried.length > 6 ? `${carried.slice(0, 6).join(', ')} and others` : carried.join(', ')
  if (listed === undefined) return `This format contains only ${some}; other types of this feed are left out.`
  const lost = listed.filter((type) => !carried.includes(type))
  if (lost.length === listed.length)
    return `This feed lists ${listed.join(', ')}; this format carries ${some}. The file would be empty.`
  return lost.length === 0 ? null : `This format does not carry ${lost.join(', ')}: these are left out.`
}
