import { Button, Group, NativeSelect, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { client } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { useSend } from '../../../parts/form/useSend.ts'
import { REPUTATIONS } from '../../../parts/watch/reputations.ts'
import { ITEM_KINDS, type ItemKind } from '../../../parts/watch/watchlists.ts'
import { type ItemFields, itemOf, type NewItem, NO_ITEM, takesSelector, takesType } from './item-form.ts'

const PATH = '/api/casework/v1/watchlists/{id}/items'
const KINDS = Object.entries(ITEM_KINDS).map(([value, { label }]) => ({ value, label }))

/** Adds an item to a watchlist. */
export function ItemForm({ id }: { id: string }) {
  const [fields, setFields] = useState<ItemFields>(NO_ITEM)
  const [fault, setFault] = useState<string | null>(null)
  const { error, sending, send, forget } = useSend()
  const [told, setTold] = useState('')
  const refresh = useRefresh()
  const set = (given: Partial<ItemFields>): void => {
    setFields((now) => ({ ...now, ...given }))
    setFault(null)
    forget()
    setTold('')
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const read = itemOf(fields)
    if ('fault' in read) return setFault(read.fault)
    await send(() => add(read.item))
  }

  async function add(body: NewItem): Promise<void> {
    const { response } = await client.POST(PATH, { params: { path: { id } }, body })
    setFields((now) => ({ ...NO_ITEM, kind: now.kind }))
    setTold(response.status === 200 ? 'It was already on the watchlist.' : 'It was added to the watchlist.')
    await refresh(PATH, '/api/casework/v1/watchlists', '/api/casework/v1/watchlists/{id}')
  }

  const problem = error === null ? null : asProblem(error)
  const refusedValue = problem?.status === 400 && problem.param?.startsWith('value') ? problem.message : null

  const value = {
    label: 'What',
    description: ITEM_KINDS[fields.kind].hint,
    value: fields.value,
    error: fault ?? refusedValue,
    onChange: (event: { currentTarget: { value: string } }) => set({ value: event.currentTarget.value }),
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <Title order={3} size="h5">
          Add an item
        </Title>
        <Group align="start" gap="sm">
          <NativeSelect
            label="Kind"
            description="how it is compared"
            data={KINDS}
            value={fields.kind}
            onChange={(event) => set({ kind: event.currentTarget.value as ItemKind })}
          />
          {takesSelector(fields.kind) ? (
            <Textarea {...value} autosize minRows={2} maxRows={10} maxLength={16_384} flex="1 1 260px" />
          ) : (
            <TextInput {...value} maxLength={2_048} autoComplete="off" spellCheck={false} flex="1 1 260px" />
          )}
          {takesType(fields.kind) && (
            <TextInput
              label="Type"
              description="empty: any"
              w={120}
              maxLength={64}
              value={fields.type}
              onChange={(event) => set({ type: event.currentTarget.value })}
            />
          )}
          <NativeSelect
            label="Reputation"
            description="when it is"
            data={[...REPUTATIONS]}
            value={fields.reputation}
            onChange={(event) => set({ reputation: event.currentTarget.value })}
          />
        </Group>
        {error !== null && refusedValue === null && <ErrorAlert error={error} />}
        <Group gap="sm">
          <Button type="submit" size="sm" loading={sending}>
            Add
          </Button>
          <Text size="sm" role="status">
            {told}
          </Text>
        </Group>
      </Stack>
    </form>
  )
}
