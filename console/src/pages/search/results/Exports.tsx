import { Button, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { csv, download } from '../../../parts/format/csv.ts'
import type { ResultRecord } from '../question/request.ts'
import { COLUMNS, cellsOf, type ResultRow } from './rows.ts'

type Props = { rows: ResultRow[]; records: ResultRecord[]; of: number }

/** The results that are shown, as files; they say when there are more. */
export function Exports({ rows, records, of }: Props) {
  const name = `harrier-search-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`
  const what = rows.length === of ? `all ${of}` : `the ${rows.length} shown of ${of.toLocaleString('en')}`
  const icon = <IconDownload size={14} aria-hidden />
  return (
    <Group gap={4}>
      <Button
        size="xs"
        variant="default"
        leftSection={icon}
        title={`Exports ${what}`}
        aria-label={`CSV of ${what}`}
        onClick={() => download(`${name}.csv`, csv(COLUMNS, rows.map(cellsOf)))}
      >
        CSV
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={icon}
        title={`Exports ${what}`}
        aria-label={`JSON of ${what}`}
        onClick={() => download(`${name}.json`, `${JSON.stringify(records, null, 2)}\n`, 'application/json')}
      >
        JSON
      </Button>
    </Group>
  )
}
