import { Badge, Group, Text } from '@mantine/core'
import { useCaller } from '../../../session/caller.ts'
import { groupName } from '../../../session/group-name.ts'
import { SCOPE_WORDS, shorten } from './key-form.ts'
import type { Bounds } from './keys-api.ts'

/** What a key pair is narrowed to. */
export function BoundBadges({ scopes, groups, networks }: Bounds) {
  const caller = useCaller()
  if (scopes === null && groups === null && networks === null)
    return (
      <Text size="sm" c="dimmed">
        everything
      </Text>
    )
  const kinds = [
    { kind: 'May do', color: 'blue', all: scopes?.map((scope) => SCOPE_WORDS[scope]?.label ?? scope), most: 9 },
    { kind: 'Group', color: 'violet', all: groups?.map((group) => groupName(group, caller)), most: 4 },
    { kind: 'From', color: 'gray', all: networks ?? undefined, most: 4 },
  ]
  return (
    <Group gap={4} maw={320}>
      {kinds.flatMap(({ kind, color, all = [], most }) =>
        shorten(all, most).map((text) => (
          <Badge
            key={`${kind} ${text}`}
            variant="light"
            autoContrast
            color={color}
            size="sm"
            tt="none"
            title={`${kind}: ${all.join(', ')}`}
          >
            {text}
          </Badge>
        )),
      )}
    </Group>
  )
}
