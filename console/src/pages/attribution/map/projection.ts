/** The Equal Earth projection: areas keep their proportions (Šavrič, Patterson and Jenny, 2018, doi 10.1080/13658816.2018.1504949). */

const A = [1.340264, -0.081106, 0.000893, 0.003796] as const
const M = Math.sqrt(3) / 2
/** Of the equator, from the middle: `project([180, 0])` before it is scaled. */
const HALF_WIDTH = Math.PI / (M * A[0])

/** Units of the picture: what is rounded to whole ones is not seen. */
export const WIDTH = 2_000
/** How far land goes on beyond the 180th meridian. */
export const BEYOND = 12
/** Where the latitude of the upper edge is cut: no land that has a country lies beyond. */
const TOP = raw(0, 84)[1]
export const HEIGHT = Math.ceil(((TOP - raw(0, -57)[1]) * WIDTH) / (2 * HALF_WIDTH))

/**
 * A place on a map that is `WIDTH` wide.
 * @param position longitude and latitude in degrees
 * @returns to the right and down from the upper left corner
 */
export function project([longitude, latitude]: readonly number[]): [number, number] {
  const [x, y] = raw(longitude!, latitude!)
  const scale = WIDTH / (2 * HALF_WIDTH)
  return [(x + HALF_WIDTH) * scale, (TOP - y) * scale]
}

function raw(longitude: number, latitude: number): [number, number] {
  const t = Math.asin(M * Math.sin(radians(latitude)))
  const [t2, t6] = [t ** 2, t ** 6]
  const across = M * (A[0] + 3 * A[1] * t2 + t6 * (7 * A[2] + 9 * A[3] * t2))
  return [(radians(longitude) * Math.cos(t)) / across, t * (A[0] + A[1] * t2 + t6 * (A[2] + A[3] * t2))]
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
