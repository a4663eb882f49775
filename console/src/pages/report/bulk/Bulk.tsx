import { useState } from 'react'
import type { Definition } from '../definitions.ts'
import type { Claim } from '../draft.ts'
import { Plan } from './Plan.tsx'
import type { InputLine, ParsedInput } from './read.ts'
import { SendProgress } from './SendProgress.tsx'
import { SourceForm } from './SourceForm.tsx'
import { createSender, type LineBody, type Sender } from './sender.ts'
import { senderPorts } from './submit.ts'

/** A report of many lines: the input, the claims for all lines, and the outcome of each. */
export default function Bulk({ definitions }: { definitions: readonly Definition[] }) {
  const [file, setFile] = useState<ParsedInput | null>(null)
  const [claim, setClaim] = useState<Claim>({ reputation: null, tags: [], visibleBy: [], correlate: [] })
  const [sent, setSent] = useState<{ rows: readonly InputLine[]; jobs: readonly LineBody[]; by: Sender } | null>(null)
  const again = () => {
    setSent(null)
    setFile(null)
  }
  if (file === null) return <SourceForm take={setFile} />
  if (sent !== null) return <SendProgress rows={sent.rows} jobs={sent.jobs} sender={sent.by} again={again} />
  return (
    <Plan
      key={file.format}
      definitions={definitions}
      file={file}
      claim={claim}
      setClaim={setClaim}
      again={again}
      use={setFile}
      send={(rows, jobs) => setSent({ rows, jobs, by: createSender(jobs, senderPorts) })}
    />
  )
}
