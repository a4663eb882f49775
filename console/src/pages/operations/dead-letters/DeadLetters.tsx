import { Group, Select, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { api } from '../../../api/client.ts'
import { useParameter } from '../../../parts/page/useParameter.ts'
import { LetterDetail } from './LetterDetail.tsx'
import { LetterList } from './LetterList.tsx'
import { isState, STATES } from './letters.ts'

const TYPED_MS = 400

/** `/operations/dead-letters?topic=&state=&reason=&after=&id=`: the list, and one of it. */
export default function DeadLetters() {
  const [topic, setTopic] = useParameter('topic')
  const [state, setState] = useParameter('state')
  const [reason, setReason] = useParameter('reason')
  const [after, setAfter] = useParameter('after')
  const [id, setId] = useParameter('id')
  const [typed, setTyped] = useState(reason ?? '')
  const [settled] = useDebouncedValue(typed, TYPED_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed is the reason, not how it is kept
  useEffect(() => {
    if (settled === (reason ?? '')) return
    setAfter('')
    setReason(settled)
  }, [settled])
  const topics = api.useQuery('get', '/api/admin/v1/topics')
  // Only topics with a dead-letter topic have letters.
  const names = (topics.data?.topics ?? []).map((one) => one.topic)
  const burying = names.filter((name) => names.includes(`${name}.dead`))
  const selectedState = state === 'all' ? null : isState(state) ? state : 'waiting'
  return (
    <Stack gap="md">
      <Group gap="sm" align="end">
        <Select
          label="State"
          w={140}
          value={selectedState ?? 'all'}
          allowDeselect={false}
          onChange={(to) => {
            setAfter('')
            setState(to === 'waiting' || to === null ? '' : to)
          }}
          data={[
            ...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
            { value: 'all', label: 'Any' },
          ]}
        />
        <Select
          label="Topic"
          w={240}
          value={topic ?? ''}
          allowDeselect={false}
          onChange={(to) => {
            setAfter('')
            setTopic(to ?? '')
          }}
          data={[{ value: '', label: 'Any' }, ...burying]}
        />
        <TextInput
          label="Reason contains"
          w={240}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          maxLength={500}
        />
      </Group>
      {id !== null && <LetterDetail key={id} id={id} close={() => setId('')} />}
      <LetterList
        key={`${topic} ${state} ${reason} ${after}`}
        filter={{
          limit: 50,
          ...(topic ? { topic: topic as never } : {}),
          ...(selectedState === null ? {} : { state: selectedState }),
          ...(reason ? { reason } : {}),
          ...(after ? { after } : {}),
        }}
        open={setId}
        later={setAfter}
        first={after === null}
      />
    </Stack>
  )
}
