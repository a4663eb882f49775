import { Button, Group, Modal, Select, Stack, TagsInput, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { api } from '../../../../api/client.ts'
import { formatReputation, reputationLabel, reputationSign } from '../../../../parts/entity/scores.ts'
import { ErrorAlert } from '../../../../parts/feedback/ErrorAlert.tsx'
import { useCaller } from '../../../../session/caller.ts'
import { GroupsInput } from '../../GroupsInput.tsx'
import { defaultAudience } from '../../groups.ts'
import type { ActionProps } from './action-props.ts'

const SIGHTING = 'sighting'
const MAX_TAGS = 100
const OPINIONS = [
  { value: SIGHTING, label: 'Seen, no opinion' },
  ...[-3, -2, -1, 0, 1, 2, 3].map((n) => ({
    value: String(n),
    label: `${reputationSign(n)} ${reputationLabel(n)} ${formatReputation(n)}`,
  })),
]

/** Reports the same entity once more: an opinion of its reputation, tags, or only that it was seen. */
export function ReportDialog({ entity, close, acknowledged }: ActionProps) {
  const groups = useCaller()?.groups ?? []
  const report = api.useMutation('post', '/api/ingest/v1/entity')
  const form = useForm({
    initialValues: { opinion: SIGHTING, tags: [] as string[], visibleBy: defaultAudience(groups) },
  })
  const send = form.onSubmit(({ opinion, tags, visibleBy }) => {
    const body = {
      type: entity.type,
      attributes: { [entity.type]: entity.value },
      visibleBy,
      ...(opinion === SIGHTING ? {} : { reputation: Number(opinion) }),
      ...(tags.length > 0 ? { tags } : {}),
    }
    report.mutate(
      { body },
      {
        onSuccess: () => {
          acknowledged(opinion === SIGHTING ? 'Sighting' : 'Report')
          close()
        },
      },
    )
  })
  return (
    <Modal opened onClose={close} title="Report again or tag" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={send}>
        <Stack>
          <Select
            label="Reputation"
            description="Your opinion replaces the earlier one of you or your team. A sighting only refreshes it."
            data={OPINIONS}
            allowDeselect={false}
            {...form.getInputProps('opinion')}
          />
          <TagsInput
            label="Tags to add"
            description="Press Enter after each tag. Existing tags stay."
            maxTags={MAX_TAGS}
            splitChars={[',']}
            {...form.getInputProps('tags')}
          />
          <GroupsInput
            groups={groups}
            chosen={form.values.visibleBy}
            choose={(chosen) => form.setFieldValue('visibleBy', chosen)}
          />
          <Text size="sm" c="dimmed">
            Reports are kept as evidence and cannot be edited. To report attributes or relations, use the page “Report”.
          </Text>
          {report.error !== null && <ErrorAlert error={report.error} />}
          <Group justify="end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={report.isPending} disabled={form.values.visibleBy.length === 0}>
              Send
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
