import { Box, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import { formatCount } from '../../../parts/format/numbers.ts'
import { codeOf, nameOfCode } from './countries.ts'
import { shadeOf, shades, shortCount } from './shades.ts'
import { COLUMNS, TILE_ROWS, TILES } from './tiles.ts'

type Props = {
  buckets: readonly { key: string; count: number }[]
  malicious: boolean
  /** The search that explains the count of a country. */
  linkTo: (country: string) => string
}

const TILE = 32
const INSET = 1
/** Narrower, tiles would be too small for a finger. */
const WIDTH = { minWidth: 860, maxWidth: 1_100 }

/** The world as tiles, darker and with a larger number where more is. Each tile with a number leads to its search. */
export function CountryMap({ buckets, malicious, linkTo }: Props) {
  const byCode = new Map(buckets.map((bucket) => [codeOf(bucket.key), bucket]))
  const largest = Math.max(1, ...buckets.map(({ count }) => count))
  const shade = shades(malicious)
  const placed = buckets.filter(({ key }) => codeOf(key) !== undefined)
  const most = placed
    .slice(0, 3)
    .map(({ key, count }) => `${key} ${formatCount(count)}`)
    .join(', ')
  return (
    <>
      <Box style={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label="Map of countries" data-testid="map">
        {/* biome-ignore lint/a11y/useSemanticElements: links in a picture are no form */}
        <svg
          viewBox={`0 0 ${COLUMNS * TILE} ${TILE_ROWS * TILE}`}
          style={{ display: 'block', width: '100%', ...WIDTH }}
          role="group"
          aria-label={`World map with ${placed.length} countries; most in ${most}. The table has all numbers.`}
        >
          {TILES.map(({ code, column, row }) => {
            const bucket = byCode.get(code)
            const place = `translate(${column * TILE} ${row * TILE})`
            if (bucket === undefined) return <Tile key={code} place={place} code={code} />
            const { fill, ink } = shade[shadeOf(bucket.count, largest)]!
            return (
              <Link key={code} href={linkTo(bucket.key)} className="graph-node" data-testid="tile" data-code={code}>
                <title>{`${bucket.key}: ${formatCount(bucket.count)} entities`}</title>
                <Tile place={place} code={code} fill={fill} ink={ink} count={bucket.count} />
              </Link>
            )
          })}
        </svg>
      </Box>
      <Group gap={12} mt={4} aria-hidden>
        <Text size="xs">Entities, few to many:</Text>
        <Group gap={2}>
          {shade.map(({ fill }) => (
            <svg key={fill} width={22} height={12} aria-hidden>
              <rect width={22} height={12} fill={fill} />
            </svg>
          ))}
        </Group>
        <Text size="xs">One tile for each country, about where it is.</Text>
      </Group>
    </>
  )
}

type TileProps = { place: string; code: string; fill?: string; ink?: string; count?: number }

function Tile({ place, code, fill, ink, count }: TileProps) {
  const middle = TILE / 2
  return (
    <g transform={place}>
      {count === undefined && <title>{nameOfCode(code)}</title>}
      <rect
        x={INSET}
        y={INSET}
        width={TILE - 2 * INSET}
        height={TILE - 2 * INSET}
        rx={3}
        fill={fill ?? 'none'}
        stroke="var(--mantine-color-default-border)"
      />
      <text
        aria-hidden
        x={middle}
        y={count === undefined ? middle : middle - 6}
        fontSize={10}
        textAnchor="middle"
        dominantBaseline="central"
        fill={ink ?? 'var(--mantine-color-dimmed)'}
      >
        {code}
      </text>
      {count !== undefined && (
        <text
          aria-hidden
          x={middle}
          y={middle + 7}
          fontSize={11}
          fontWeight={700}
          textAnchor="middle"
          dominantBaseline="central"
          fill={ink}
        >
          {shortCount(count)}
        </text>
      )}
    </g>
  )
}
