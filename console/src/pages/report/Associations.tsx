import { Button, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { LinkMode } from '../../../../schemas/intelligence/observations/observation.ts'
import type { Problem } from '../../api/problem.ts'
import type { Definition } from './definitions.ts'
import { type Draft, MAX_LEVELS, newDraft } from './draft.ts'
import { EntityFields } from './EntityFields.tsx'

type Props = {
  definitions: readonly Definition[]
  parent: Draft
  change: (parent: Draft) => void
  fault: Problem | null
  path: string
  /** Of these associations; those of the root are at 1. */
  level: number
  /** No report has more entities. */
  full: boolean
}

const MODES: { value: LinkMode; label: string }[] = [
  { value: 'association', label: 'Related to' },
  { value: 'aggregation', label: 'Part of' },
]

/** The related entities and the parts of an entity; each can have its own. */
export function Associations({ definitions, parent, change, fault, path, level, full }: Props) {
  const { associations } = parent
  const replace = (index: number, draft: Draft | null) =>
    change({ ...parent, associations: associations.flatMap((one, at) => (at === index ? (draft ?? []) : one)) })
  const name = parent.values[parent.type]?.trim() || parent.type
  return (
    <Stack gap="sm">
      {associations.map((draft, index) => {
        const at = `${path}associations[${index}].`
        const title = `${level === 1 ? 'Related entity' : 'Nested entity'} ${index + 1}`
        return (
          <Paper
            key={draft.key}
            withBorder
            p="sm"
            component="fieldset"
            m={0}
            miw={0}
            style={{ borderInlineStartWidth: 3 }}
            aria-label={`${title} of ${name}`}
          >
            <Stack gap="sm">
              <Group justify="space-between" gap="xs">
                <Group gap="xs">
                  <SegmentedControl
                    size="xs"
                    data={MODES}
                    value={draft.mode}
                    aria-label={`Relation to ${name}`}
                    onChange={(mode) => replace(index, { ...draft, mode: mode as LinkMode })}
                  />
                  <Text size="sm" className="value" lineClamp={1}>
                    {name}
                  </Text>
                </Group>
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => replace(index, null)}
                  aria-label={`Remove ${title.toLowerCase()}`}
                >
                  Remove
                </Button>
              </Group>
              <EntityFields
                definitions={definitions}
                draft={draft}
                change={(to) => replace(index, to)}
                fault={fault}
                path={at}
              />
              <Associations
                definitions={definitions}
                parent={draft}
                change={(to) => replace(index, to)}
                fault={fault}
                path={at}
                level={level + 1}
                full={full}
              />
            </Stack>
          </Paper>
        )
      })}
      {level <= MAX_LEVELS && (
        <Button
          variant="default"
          size="xs"
          w="fit-content"
          maw="100%"
          disabled={full}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => change({ ...parent, associations: [...associations, newDraft('domain')] })}
        >
          {level === 1 ? 'Add a related entity' : `Add a nested entity to ${name}`}
        </Button>
      )}
    </Stack>
  )
}
