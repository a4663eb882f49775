import { useState } from 'react'
import type { Definition } from '../definitions.ts'
import type { Claim } from '../draft.ts'
import { Plan } from './Plan.tsx'
import type { ReadFile } from './read.ts'
import { Sending } from './SendProgress.tsx'
import { Source } from './SourceForm.tsx'
import { type Job, type Sender, sender } from './sender.ts'
import { submit } from './submit.ts'

/** Many lines: what is in them, what is said of all, and what became of each. */
export default function Bulk({ definitions }: { definitions: readonly Definition[] }) {
  const [file, setFile] = useState<ReadFile | null>(null)
  const [claim, setClaim] = useState<Claim>({ reputation: null, tags: [], visibleBy: [], correlate: [] })
  const [sent, setSent] = useState<{ jobs: readonly Job[]; by: Sender } | null>(null)
  const again = () => {
    setSent(null)
    setFile(null)
  }
  if (file === null) return <Source take={setFile} />
  if (sent !== null) return <Sending rows={file.rows} jobs={sent.jobs} sender={sent.by} again={again} />
  return (
    <Plan
      definitions={definitions}
      file={file}
      claim={claim}
      setClaim={setClaim}
      again={again}
      send={(jobs) => setSent({ jobs, by: sender(jobs, submit) })}
    />
  )
}
