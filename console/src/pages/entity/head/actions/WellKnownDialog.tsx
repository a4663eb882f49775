import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../../api/client.ts'
import { ErrorAlert } from '../../../../parts/feedback/ErrorAlert.tsx'
import type { ActionProps } from './action-props.ts'

/** The label for the entities that a mark on these types can cover, and whether it covers them by default. */
const COVERS: { [type: string]: { label: string; usual: boolean } } = {
  cidr: { label: 'Include every address and network in it', usual: true },
  domain: { label: 'Include its subdomains and their URLs', usual: false },
}

/** Marks the entity as well known, after a confirmation: the mark is public and permanent. */
export function WellKnownDialog({ entity, close, acknowledged }: ActionProps) {
  const under = COVERS[entity.type]
  const [covers, setCovers] = useState(under?.usual ?? false)
  const mark = api.useMutation('post', '/api/ingest/v1/well-known')
  const send = () =>
    mark.mutate(
      {
        body: { type: entity.type, attributes: { [entity.type]: entity.value }, ...(under ? { covers } : {}) },
      },
      {
        onSuccess: () => {
          acknowledged('Mark')
          close()
        },
      },
    )
  return (
    <Modal opened onClose={close} title="Mark as well known" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Text size="sm">
          A well-known entity is never shown with a negative reputation, regardless of past and future reports. The
          reports stay as evidence.
        </Text>
        <Text size="sm" className="value">
          {entity.value.slice(0, 200)}
        </Text>
        <Text size="sm" fw={600}>
          The mark is public, and only an administrator can remove it.
        </Text>
        {under && (
          <Checkbox label={under.label} checked={covers} onChange={(event) => setCovers(event.currentTarget.checked)} />
        )}
        {mark.error !== null && <ErrorAlert error={mark.error} />}
        <Group justify="end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button onClick={send} loading={mark.isPending}>
            Mark as well known
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
