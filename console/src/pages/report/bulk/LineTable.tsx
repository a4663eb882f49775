import { Checkbox, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { EntityLink } from '../../../parts/entity/EntityLink.tsx'
import { Pager } from '../../../parts/tables/Pager.tsx'
import { ScrollTable } from '../../../parts/tables/ScrollTable.tsx'
import type { InputLine } from './read.ts'
import type { LineBody, LineOutcome } from './sender.ts'

const ON_A_PAGE = 50
const MAX_SHOWN = 200
const SEND: [string, number] = ['Send', 60]

type Props = {
  rows: readonly InputLine[]
  jobs: readonly LineBody[]
  /** By place of the row; null before anything is sent. */
  outcomes: readonly LineOutcome[] | null
  /** Which rows are shown; all when absent. */
  only?: LineOutcome['state'] | null
  /** Lines that are not to be sent, by place of the row, and how that is changed; absent: all are. */
  choice?: { unticked: ReadonlySet<number>; toggle: (index: number) => void }
}

/** Lines with their recognised types and their outcomes, page by page. */
export function LineTable({ rows, jobs, outcomes, only = null, choice }: Props) {
  const [page, setPage] = useState(1)
  const indexes = rows.map((_, index) => index).filter((index) => only === null || outcomes?.[index]?.state === only)
  // Before sending, the lines that cannot be sent come first: the user has to correct them.
  if (outcomes === null)
    indexes.sort((a, b) => Number(typeof jobs[a] !== 'string') - Number(typeof jobs[b] !== 'string'))
  const pages = Math.max(1, Math.ceil(indexes.length / ON_A_PAGE))
  const here = Math.min(page, pages)
  return (
    <>
      <ScrollTable
        label="Lines"
        minWidth={560}
        columns={[
          ...(choice ? [SEND] : []),
          ['Line', 70],
          'Input',
          ['Type', 150],
          outcomes === null ? 'Sent as' : 'Outcome',
        ]}
      >
        {indexes.slice((here - 1) * ON_A_PAGE, here * ON_A_PAGE).map((index) => {
          const row = rows[index]!
          const job = jobs[index]!
          return (
            <Table.Tr key={index} data-testid="line">
              {choice && (
                <Table.Td>
                  <Checkbox
                    aria-label={`Send ${row.text.slice(0, MAX_SHOWN)}`}
                    checked={!choice.unticked.has(index)}
                    onChange={() => choice.toggle(index)}
                  />
                </Table.Td>
              )}
              <Table.Td>{row.line}</Table.Td>
              <Table.Td className="value" fz="sm">
                {shortened(row.text)}
                {row.within !== undefined && row.within !== row.text && (
                  <Text size="xs" c="dimmed">
                    {shortened(row.within)}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>{typeof job === 'string' ? '—' : String(job.type)}</Table.Td>
              <Table.Td>
                {outcomes === null ? <SentAs job={job} /> : <OutcomeText of={outcomes[index]!} text={row.text} />}
              </Table.Td>
            </Table.Tr>
          )
        })}
      </ScrollTable>
      <Pager page={here} pages={pages} items={indexes.length} change={setPage} />
    </>
  )
}

const shortened = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

function SentAs({ job }: { job: LineBody }) {
  if (typeof job === 'string') return <Text size="sm">✗ Not sent: {job}</Text>
  const { type, attributes } = job as { type: string; attributes: Record<string, unknown> }
  return (
    <Text size="sm" className="value">
      {String(attributes[type]).slice(0, MAX_SHOWN)}
    </Text>
  )
}

function OutcomeText({ of, text }: { of: LineOutcome; text: string }) {
  if (of.state === 'accepted')
    return (
      <Text size="sm" component="div">
        ✓ Accepted: <EntityLink id={of.id} value={text.slice(0, MAX_SHOWN)} />
      </Text>
    )
  if (of.state === 'refused')
    return (
      <Text size="sm" component="div">
        ✗ Refused: {of.reason}
      </Text>
    )
  return <Text size="sm">{of.state === 'sending' ? '… Sending' : '· Waiting'}</Text>
}
