import { Anchor } from '@mantine/core'
import { Link } from 'wouter'

/** The page of an entity. Values are text of strangers: shown, never followed. */
export function EntityLink({ id, value }: { id: string; value: string }) {
  return (
    <Anchor component={Link} href={`/entity/${id}`} className="value" size="sm">
      {value}
    </Anchor>
  )
}
