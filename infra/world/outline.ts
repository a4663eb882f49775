import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import atlas from 'world-atlas/countries-110m.json' with { type: 'json' }
import { project } from '../../console/src/pages/attribution/map/projection.ts'
import type { Shape } from '../../console/src/pages/attribution/map/shapes.ts'

type Atlas = Topology<{ countries: GeometryCollection<{ name: string }> }>
type Ring = [number, number][]

/** The atlas gives no number to it, and ISO 3166-1 no code; the platform calls it XK. */
const WITHOUT_NUMBER: Readonly<Record<string, string>> = { Kosovo: 'XK' }
/** Half of the picture would be ice. A number of it stands beside the map. */
const LEFT_OUT = 'AQ'

/** The countries that are large enough for a map of the whole world, as the console draws them. */
export function worldOutline(): Shape[] {
  const { countries } = (atlas as unknown as Atlas).objects
  return feature(atlas as unknown as Atlas, countries).features.flatMap(({ id, properties, geometry }) => {
    const code = id === undefined ? (WITHOUT_NUMBER[properties.name] ?? null) : codeOfNumber(String(id))
    if (code === LEFT_OUT) return []
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : []
    const all = geometry.type === 'MultiPolygon' ? geometry.coordinates : polygons
    return [{ code, ...drawn(all.flat().map((ring) => unwrapped(ring).map(project))) }]
  })
}

/** ISO 3166-1 in digits is an alias of the code in letters wherever languages have tags (BCP 47). */
function codeOfNumber(number: string): string {
  return new Intl.Locale(`und-${number}`).region ?? number
}

/** A ring that crosses the 180th meridian goes on beyond it: the east of Russia stays with the rest. */
function unwrapped(ring: readonly number[][]): Ring {
  const crosses = ring.some(([longitude], i) => i > 0 && Math.abs(longitude! - ring[i - 1]![0]!) > 180)
  return ring.map(([longitude, latitude]) => [crosses && longitude! < 0 ? longitude! + 360 : longitude!, latitude!])
}

function drawn(rings: Ring[]): Omit<Shape, 'code'> {
  const boxes = rings.map(boxOf)
  const largest = boxes.reduce((most, box) => (box.width * box.height > most.width * most.height ? box : most))
  return {
    path: rings.map(pathOf).join(''),
    x: Math.round(largest.left + largest.width / 2),
    y: Math.round(largest.top + largest.height / 2),
    width: Math.round(largest.width),
  }
}

/** Whole units, each point from the one before: half of what absolute numbers take. Islands that become a line are left out. */
function pathOf(ring: Ring): string {
  let [x, y] = ring[0]!.map(Math.round) as [number, number]
  let path = `M${x} ${y}l`
  let steps = 0
  for (const point of ring.slice(1)) {
    const [dx, dy] = [Math.round(point[0]) - x, Math.round(point[1]) - y]
    if (dx === 0 && dy === 0) continue
    path += `${dx < 0 || path.endsWith('l') ? '' : ' '}${dx}${dy < 0 ? '' : ' '}${dy}`
    ;[x, y] = [x + dx, y + dy]
    steps++
  }
  return steps < 3 ? '' : `${path}z`
}

function boxOf(ring: Ring): { left: number; top: number; width: number; height: number } {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top }
}
