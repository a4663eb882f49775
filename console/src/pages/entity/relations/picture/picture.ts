/** A drawing as a file, made in the browser: nothing is sent anywhere (ADR 241). */

/** Pixels of a picture for each unit of the drawing, and at most along one side: browsers draw no larger ones. */
const SHARP = 2
const MOST_PIXELS = 8_192

/** The whole document of an SVG file. */
export const svgText = (drawing: SVGSVGElement): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(drawing)}\n`

/** How many pixels each unit gets. */
export const scaleOf = (width: number, height: number): number =>
  Math.min(SHARP, MOST_PIXELS / Math.max(width, height, 1))

/** The same as PNG. Rejects when the browser cannot draw it. */
export async function pngOf(drawing: SVGSVGElement): Promise<Blob> {
  const [width, height] = [Number(drawing.getAttribute('width')), Number(drawing.getAttribute('height'))]
  const scale = scaleOf(width, height)
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(drawing))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(width * scale)
  canvas.height = Math.ceil(height * scale)
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((made, failed) =>
    canvas.toBlob(
      (blob) => (blob === null ? failed(new Error('the browser made no picture')) : made(blob)),
      'image/png',
    ),
  )
}

/** `harrier-graph-evil-example-org-2026-11-27.svg`; `now` in unix milliseconds, the day is that of UTC. */
export function pictureName(value: string, form: 'svg' | 'png', now: number): string {
  const plain = value
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
  return `harrier-graph-${plain || 'entity'}-${new Date(now).toISOString().slice(0, 10)}.${form}`
}
