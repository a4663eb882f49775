import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import atlas from 'world-atlas/countries-110m.json' with { type: 'json' }
import { project } from './projection.ts'

/** A country on the map: its outline as an SVG path, and the middle and the width of its largest part. */
export type Shape = { code: string | null; path: string; x: number; y: number; width: number }

type Atlas = Topology<{ countries: GeometryCollection<{ name: string }> }>
type Ring = [number, number][]

/** The atlas gives no number to it, and ISO 3166-1 no code; the platform calls it XK. */
const WITHOUT_NUMBER: Readonly<Record<string, string>> = { Kosovo: 'XK' }
/** Half of the picture would be ice. A number of it stands beside the map. */
const LEFT_OUT = 'AQ'

const { countries } = (atlas as unknown as Atlas).objects

/** The countries that are large enough for a map of the whole world; null for land of a country without a code. */
export const SHAPES: readonly Shape[] = feature(atlas as unknown as Atlas, countries).features.flatMap(
  ({ id, properties, geometry }) => {
    const code = id === undefined ? (WITHOUT_NUMBER[properties.name] ?? null) : codeOfNumber(String(id))
    if (code === LEFT_OUT) return []
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : []
    const all = geometry.type === 'MultiPolygon' ? geometry.coordinates : polygons
    return [{ code, ...drawn(all.flat().map((ring) => unwrapped(ring).map(project))) }]
  },
)

/** ISO 3166-1 in digits is an alias of the code in letters wherever languages have tags (BCP 47). */
function codeOfNumber(number: string): string {
  return new Intl.Locale(`und-${number}`).region ?? number
}

/** A ring that crosses the 180th meridian goes on beyond it: the east of Russia stays with the rest. */
function unwrapped(ring: readonly number[][]): [number, number][] {
  const crosses = ring.some(([longitude], i) => i > 0 && Math.abs(longitude! - ring[i - 1]![0]!) > 180)
  return ring.map(([longitude, latitude]) => [crosses && longitude! < 0 ? longitude! + 360 : longitude!, latitude!])
}

function drawn(rings: Ring[]): Omit<Shape, 'code'> {
  const boxes = rings.map(boxOf)
  const largest = boxes.reduce((most, box) => (box.width * box.height > most.width * most.height ? box : most))
  return {
    path: rings.map((ring) => `M${ring.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`).join(''),
    x: largest.left + largest.width / 2,
    y: largest.top + largest.height / 2,
    width: largest.width,
  }
}

function boxOf(ring: Ring): { left: number; top: number; width: number; height: number } {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top }
}
