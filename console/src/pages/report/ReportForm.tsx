import { Button, Grid, Group, Stack, Text, Title } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { asProblem, type Problem } from '../../api/problem.ts'
import { Json } from '../../parts/copy/Json.tsx'
import { ErrorAlert } from '../../parts/feedback/ErrorAlert.tsx'
import { Associations } from './Associations.tsx'
import { ClaimFields } from './ClaimFields.tsx'
import type { Definition } from './definitions.ts'
import { bodyOf, type Claim, MAX_ENTITIES, newDraft, sizeOf } from './draft.ts'
import { EntityFields } from './EntityFields.tsx'
import { ReportAccepted } from './ReportAccepted.tsx'

type Props = { definitions: readonly Definition[]; type: string; value: string }

const NO_CLAIM: Claim = { reputation: null, tags: [], visibleBy: [], correlate: [] }

/** The form of one report, with a preview of the request. An error of the platform stands next to its field. */
export function ReportForm({ definitions, type, value }: Props) {
  const [root, setRoot] = useState(() => newDraft(type, value))
  const [claim, setClaim] = useState(NO_CLAIM)
  const form = useRef<HTMLFormElement>(null)
  const send = api.useMutation('post', '/api/ingest/v1/entity')
  const fault: Problem | null = send.error ? asProblem(send.error) : null
  const body = bodyOf(root, claim)
  const size = sizeOf(root)

  useEffect(() => {
    if (fault?.param) form.current?.querySelector<HTMLElement>(`[data-param="${CSS.escape(fault.param)}"]`)?.focus()
  }, [fault])

  if (send.data)
    return (
      <ReportAccepted
        id={send.data.id}
        size={size}
        again={() => {
          send.reset()
          setRoot(newDraft(root.type))
        }}
      />
    )
  const common = { definitions, fault, full: size >= MAX_ENTITIES }
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!send.isPending) send.mutate({ body: body as never })
          }}
        >
          <Stack gap="md">
            <EntityFields {...common} draft={root} change={setRoot} path="" />
            <ClaimFields claim={claim} change={setClaim} fault={fault} attributes={Object.keys(body.attributes)} />
            <Title order={2} size="h4">
              Related entities
            </Title>
            <Associations {...common} parent={root} change={setRoot} path="" level={1} />
            {fault && <ErrorAlert error={fault} />}
            <Group gap="sm">
              <Button type="submit" loading={send.isPending}>
                Report
              </Button>
              <Text size="sm" c="dimmed">
                {size === 1 ? 'One entity' : `${size.toLocaleString('en')} entities`}
              </Text>
            </Group>
          </Stack>
        </form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Json title="Request body" of={body} />
      </Grid.Col>
    </Grid>
  )
}
