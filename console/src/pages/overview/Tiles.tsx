import { Anchor, Paper, SimpleGrid, Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { type FigureFilter, searchLink } from '../../parts/figures/search-link.ts'
import { formatCount, formatShare } from '../../parts/format/numbers.ts'
import type { Figures } from './figures.ts'

type Props = {
  /** Length of the window. */
  days: number
  stock: Figures
  /** Null until it is known. */
  seen: Figures | null
}

/** The four most important figures: of the window in large, of all entities below. */
export function Tiles({ days, stock, seen }: Props) {
  const malicious = (figures: Figures): FigureFilter => ({ ...figures.of, malicious: true })
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" data-testid="tiles">
      <Tile name={`Seen in ${days} days`} id="entities">
        {seen && <LinkedCount count={seen.entities} of={seen.of} what="entities seen in the window" />}
        <TileNote>
          of <LinkedCount inText count={stock.entities} of={stock.of} what="entities" /> in total
        </TileNote>
      </Tile>
      <Tile name="Malicious" id="malicious">
        {seen && (
          <LinkedCount count={seen.malicious} of={malicious(seen)} what="malicious entities seen in the window" />
        )}
        <TileNote>
          of <LinkedCount inText count={stock.malicious} of={malicious(stock)} what="malicious entities" /> in total
        </TileNote>
      </Tile>
      <Tile name="Malicious share" id="share">
        {seen && (
          <LinkedCount of={malicious(seen)} what="malicious share of the window" count={seen.malicious}>
            {formatShare(seen.malicious, seen.entities)}
          </LinkedCount>
        )}
        <TileNote>{formatShare(stock.malicious, stock.entities)} of all</TileNote>
      </Tile>
      <Tile name="Types seen" id="types">
        {seen && (
          <Anchor href="#by-type" inherit aria-label={`${formatCount(seen.types.length)} types: show them`}>
            {formatCount(seen.types.length)}
          </Anchor>
        )}
        <TileNote>{formatCount(stock.types.length)} in total</TileNote>
      </Tile>
    </SimpleGrid>
  )
}

function Tile({ name, id, children: [large, below] }: { name: string; id: string; children: [ReactNode, ReactNode] }) {
  return (
    <Paper withBorder p="sm" data-testid={`tile-${id}`}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fz={26} fw={650} lh={1.35} component="div" style={{ fontVariantNumeric: 'tabular-nums' }}>
        <span data-testid="seen">{large ?? <Skeleton height={26} width={80} my={5} />}</span>
      </Text>
      {below}
    </Paper>
  )
}

const TileNote = ({ children }: { children: ReactNode }) => (
  <Text size="xs" c="dimmed" component="div" data-testid="in-all">
    {children}
  </Text>
)

type Explained = { count: number; of: FigureFilter; what: string; inText?: boolean; children?: string }

function LinkedCount({ count, of, what, inText = false, children = formatCount(count) }: Explained) {
  if (count === 0) return <span>{children}</span>
  return (
    <Anchor
      component={Link}
      underline={inText ? 'always' : 'hover'}
      href={searchLink(of)}
      inherit
      aria-label={`${children} ${what}: search`}
    >
      {children}
    </Anchor>
  )
}
