import { Button, Grid, Group, Kbd, Paper, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { asProblem } from '../../../api/problem.ts'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { Notice } from '../../../parts/feedback/Notice.tsx'
import { Builder } from '../builder/Builder.tsx'
import { type Json, rowAt } from '../builder/write.ts'
import type { Go } from '../lookup/Quick.tsx'
import type { SearchAddress } from '../question/address.ts'
import { useSearchAnswer } from '../question/request.ts'
import { Results } from '../results/Results.tsx'
import { bodyOf, type Draft, draftOf, switchEditor } from './draft.ts'
import { parseJson, positionOfParam } from './json-position.ts'
import { narrow } from './narrow.ts'
import { RawEditor } from './RawEditor.tsx'
import { SentBody } from './SentBody.tsx'

/** The body of an advanced search, built or written, and its answer. */
export function Advanced({ address, go }: { address: SearchAddress; go: Go }) {
  const { index, dsl, sort, order, page, limit } = address
  const [draft, setDraft] = useState(() => draftOf(dsl, index))
  const [beyond, setBeyond] = useState<string | null>(null)
  // Another address (a link, the way back, a bucket that was chosen) is another draft.
  if (draft.source !== dsl) setDraft(draftOf(dsl, index))
  const change = (to: Partial<Draft>) => {
    setBeyond(null)
    setDraft((before) => ({ ...before, ...to }))
  }
  const written = useMemo(() => bodyOf(draft, index), [draft, index])
  const asked = useMemo(() => asJson(dsl), [dsl])
  const after = useMemo(() => (address.after === null ? null : asList(address.after)), [address.after])
  const body = asked === null || after === null ? asked : { ...asked, search_after: after }
  const question =
    body === null ? null : { index, route: 'advanced' as const, sort, order, page, limit, body, after: address.after }
  const answer = useSearchAnswer(question)
  const problem = answer.error ? asProblem(answer.error) : null
  const param = problem?.param ?? null
  // The row or the line says where it is.
  const said = problem?.message.replace(`${param}: `, '') ?? ''

  // What the address says, as it stands there and as the builder writes it.
  const asAsked = useMemo(
    () => (asked === null ? [] : [asked, bodyOf(draftOf(dsl, index), index)?.body].map((one) => JSON.stringify(one))),
    [asked, dsl, index],
  )
  const unasked = written !== null && !asAsked.includes(JSON.stringify(written.body))

  const ask = () => {
    if (written === null) return
    const source = JSON.stringify(written.body)
    if (!unasked && address.page === 1 && address.after === null) {
      void answer.refetch()
      return
    }
    setDraft((before) => ({ ...before, source }))
    go({ dsl: source })
  }
  const turn = () => {
    const other = switchEditor(draft, index)
    if ('beyond' in other) setBeyond(other.beyond)
    else change(other)
  }
  const add = (...clauses: Json[]) => go({ dsl: JSON.stringify(clauses.reduce(narrow, asked ?? {})) })

  return (
    <>
      <Paper
        withBorder
        p="sm"
        component="form"
        aria-label="Advanced search"
        onSubmit={(event) => {
          event.preventDefault()
          ask()
        }}
      >
        <Stack gap="sm">
          <Group gap="sm">
            <SegmentedControl
              size="xs"
              aria-label="Editor"
              value={draft.editor}
              onChange={turn}
              data={[
                { value: 'builder', label: 'Builder' },
                { value: 'json', label: 'JSON' },
              ]}
            />
            {draft.editor === 'json' && beyond === null && builderCannot(draft, index) && (
              <Text size="xs" c="dimmed">
                More than the builder shows.
              </Text>
            )}
          </Group>
          {beyond !== null && (
            <Notice p="xs" role="alert" data-testid="beyond">
              The builder cannot show <span className="value">{beyond}</span>: it stays JSON.
            </Notice>
          )}
          {draft.editor === 'builder' ? (
            <Grid gap="md">
              <Grid.Col span={{ base: 12, md: 8 }}>
                <Builder
                  model={draft.model}
                  index={index}
                  change={(model) => change({ model })}
                  fault={
                    param === null || unasked ? null : { row: rowAt(param, written?.rows ?? new Map()), message: said }
                  }
                />
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 4 }}>
                <SentBody body={written?.body ?? {}} />
              </Grid.Col>
            </Grid>
          ) : (
            <RawEditor
              text={draft.text}
              change={(text) => change({ text })}
              send={ask}
              refused={param === null || unasked ? null : { spot: positionOfParam(draft.text, param), message: said }}
            />
          )}
          <Group gap="sm">
            <Button type="submit" disabled={written === null} leftSection={<IconSearch size={16} aria-hidden />}>
              Search
            </Button>
            {draft.editor === 'json' && (
              <Text size="xs" c="dimmed" visibleFrom="sm">
                <Kbd size="xs">Ctrl</Kbd> + <Kbd size="xs">Enter</Kbd> searches
              </Text>
            )}
            {dsl !== null && unasked && (
              <Text size="xs" role="status">
                Changed since it was asked.
              </Text>
            )}
          </Group>
        </Stack>
      </Paper>
      {dsl !== null && asked === null && (
        <Notice title="The address holds no search">
          What stands behind dsl= is no JSON object. Correct it above and search again.
        </Notice>
      )}
      {question !== null ? (
        <Results question={question} answer={answer} address={address} go={go} add={add} />
      ) : (
        dsl === null && (
          <EmptyState title="Nothing is asked yet">
            Search without any condition to see everything, or begin with a type, a tag or a range of dates.
          </EmptyState>
        )
      )}
    </>
  )
}

const builderCannot = (draft: Draft, index: SearchAddress['index']): boolean => 'beyond' in switchEditor(draft, index)

function asJson(text: string | null): Json | null {
  const parsed = text === null ? null : parseJson(text)
  const isObject =
    parsed !== null && 'value' in parsed && typeof parsed.value === 'object' && !Array.isArray(parsed.value)
  return isObject ? (parsed.value as Json | null) : null
}

function asList(text: string): unknown[] | null {
  const parsed = parseJson(text)
  return 'value' in parsed && Array.isArray(parsed.value) ? parsed.value : null
}
