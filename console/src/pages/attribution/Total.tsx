import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { searchLink } from '../../parts/figures/search-link.ts'
import { formatCount } from '../../parts/format/numbers.ts'
import { locatedEntities } from './dimensions.ts'

/** The total that the shares refer to; null while it loads. */
export function Total({ total, malicious }: { total: number | null; malicious: boolean }) {
  const kind = malicious ? 'malicious addresses and networks' : 'addresses and networks'
  if (total === null) return <>Shares are of all {kind}.</>
  return (
    <>
      Shares are of{' '}
      <Anchor
        component={Link}
        underline="always"
        href={searchLink(locatedEntities(malicious))}
        size="sm"
        data-testid="total"
      >
        {formatCount(total)} {kind}
      </Anchor>
      .
    </>
  )
}
