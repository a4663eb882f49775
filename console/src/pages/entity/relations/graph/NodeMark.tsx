import type { Mark } from './marks.ts'

type Props = { mark: Mark; size: number; stroke: string; fill?: string; strong?: boolean }

const corners = (points: readonly (readonly [number, number])[]) => points.map((point) => point.join(',')).join(' ')

/** A mark around 0, 0; `size` is half of its width. */
export function NodeMark({ mark, size: r, stroke, fill = 'var(--mantine-color-body)', strong = false }: Props) {
  const look = { fill, stroke, strokeWidth: strong ? 4 : 2 }
  if (mark === 'circle') return <circle r={r} {...look} />
  if (mark === 'square') return <rect x={-r} y={-r} width={2 * r} height={2 * r} rx={2} {...look} />
  const d = 1.25 * r
  if (mark === 'diamond')
    return (
      <polygon
        points={corners([
          [0, -d],
          [d, 0],
          [0, d],
          [-d, 0],
        ])}
        {...look}
      />
    )
  const angles = [0, 1, 2, 3, 4, 5].map((n) => (n * Math.PI) / 3)
  const points = angles.map((angle) => [1.1 * r * Math.cos(angle), 1.1 * r * Math.sin(angle)] as const)
  return <polygon points={corners(points)} {...look} />
}
