import { Anchor, Paper, SimpleGrid, Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { type Figure, searchLink } from '../../parts/figures/search-link.ts'
import { share, whole } from '../../parts/format/numbers.ts'
import type { Figures } from './figures.ts'

type Props = {
  /** Length of the window. */
  days: number
  stock: Figures
  /** Null until it is known. */
  seen: Figures | null
}

/** The four figures that people ask for first: of the window in large, of everything below. */
export function Tiles({ days, stock, seen }: Props) {
  const malicious = (figures: Figures): Figure => ({ ...figures.of, malicious: true })
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" data-testid="tiles">
      <Tile name={`Seen in ${days} days`} id="entities">
        {seen && <Counted count={seen.entities} of={seen.of} what="entities seen in the window" />}
        <Below>
          of <Counted inText count={stock.entities} of={stock.of} what="entities" /> in all
        </Below>
      </Tile>
      <Tile name="Malicious" id="malicious">
        {seen && <Counted count={seen.malicious} of={malicious(seen)} what="malicious entities seen in the window" />}
        <Below>
          of <Counted inText count={stock.malicious} of={malicious(stock)} what="malicious entities" /> in all
        </Below>
      </Tile>
      <Tile name="Malicious share" id="share">
        {seen && (
          <Counted of={malicious(seen)} what="malicious share of the window" count={seen.malicious}>
            {share(seen.malicious, seen.entities)}
          </Counted>
        )}
        <Below>{share(stock.malicious, stock.entities)} of all</Below>
      </Tile>
      <Tile name="Types seen" id="types">
        {seen && (
          <Anchor href="#by-type" inherit aria-label={`${whole(seen.types.length)} types: show them`}>
            {whole(seen.types.length)}
          </Anchor>
        )}
        <Below>{whole(stock.types.length)} in all</Below>
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

const Below = ({ children }: { children: ReactNode }) => (
  <Text size="xs" c="dimmed" component="div" data-testid="in-all">
    {children}
  </Text>
)

type Explained = { count: number; of: Figure; what: string; inText?: boolean; children?: string }

function Counted({ count, of, what, inText = false, children = whole(count) }: Explained) {
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
