import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { searchLink } from '../../parts/figures/search-link.ts'
import { formatCount } from '../../parts/format/numbers.ts'
import { locatedEntities, type Which } from './dimensions.ts'

/** The total that the shares refer to; null while it loads. */
export function Total({ total, which }: { total: number | null; which: Which }) {
  const seen = which.since === null ? '' : ` last seen since ${which.since}`
  const kind = `${which.malicious ? 'malicious ' : ''}addresses and networks${seen}`
  if (total === null) return <>Shares are of all {kind}.</>
  return (
    <>
      Shares are of{' '}
      <Anchor
        component={Link}
        underline="always"
        href={searchLink(locatedEntities(which))}
        size="sm"
        data-testid="total"
      >
        {formatCount(total)} {kind}
      </Anchor>
      .
    </>
  )
}
