/** `9 min 42 s` of milliseconds; the two largest units. `now` for 0 and less. */
export function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  if (seconds <= 0) return 'now'
  const units: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ]
  const first = units.findIndex(([count]) => count > 0)
  return units
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}
