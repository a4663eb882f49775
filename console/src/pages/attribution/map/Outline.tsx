import { Link } from 'wouter'
import { nameOfCode } from './countries.ts'
import type { Placed } from './placed.ts'
import { BEYOND, HEIGHT, WIDTH } from './projection.ts'
import { shortCount } from './shades.ts'
import { SHAPES } from './shapes.ts'

const LAND = 'light-dark(var(--mantine-color-gray-2), var(--mantine-color-dark-5))'
/** Narrower, the number of a country would run into the next one. */
const WIDE_ENOUGH = 68

/** The world; a country with a number leads to its search. */
export function Outline({ placed, label }: { placed: ReadonlyMap<string, Placed>; label: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: links in a picture are no form
    <svg
      viewBox={`0 0 ${WIDTH + BEYOND} ${HEIGHT}`}
      style={{ display: 'block', width: '100%' }}
      role="group"
      aria-label={label}
    >
      {SHAPES.map(({ code, path, x, y, width }) => {
        const found = code === null ? undefined : placed.get(code)
        const land = (
          <path
            d={path}
            fill={found?.shade.fill ?? LAND}
            stroke="var(--mantine-color-default-border)"
            strokeWidth={1.2}
          />
        )
        if (found === undefined)
          return (
            <g key={path}>
              {code !== null && <title>{nameOfCode(code)}</title>}
              {land}
            </g>
          )
        return (
          <Link key={path} href={found.link} className="graph-node" data-testid="country-of-map" data-code={code}>
            <title>{found.title}</title>
            {land}
            {width >= WIDE_ENOUGH && (
              <text
                aria-hidden
                x={x}
                y={y}
                fontSize={26}
                fontWeight={700}
                textAnchor="middle"
                dominantBaseline="central"
                fill={found.shade.ink}
              >
                {shortCount(found.count)}
              </text>
            )}
          </Link>
        )
      })}
    </svg>
  )
}
