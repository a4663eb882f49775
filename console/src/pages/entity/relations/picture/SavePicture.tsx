import { Button, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { ErrorAlert } from '../../../../parts/feedback/ErrorAlert.tsx'
import { download } from '../../../../parts/format/csv.ts'
import type { Shown } from '../graph/shown.ts'
import { GraphPicture } from './GraphPicture.tsx'
import { pictureName, pngOf, svgText } from './picture.ts'

const FORMS = ['svg', 'png'] as const
type Wanted = { form: (typeof FORMS)[number]; at: number }

/** What is shown as a file, SVG or PNG. */
export function SavePicture({ shown, cut }: { shown: Shown; cut: string }) {
  const drawing = useRef<SVGSVGElement>(null)
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const [error, setError] = useState<unknown>(null)
  const value = shown.nodes[0]?.value ?? ''
  // The picture is drawn out of sight, and saved once it is there.
  useEffect(() => {
    if (wanted === null || drawing.current === null) return
    const { form, at } = wanted
    const name = pictureName(value, form, at)
    const made =
      form === 'svg'
        ? Promise.resolve(new Blob([svgText(drawing.current)], { type: 'image/svg+xml' }))
        : pngOf(drawing.current)
    made.then((file) => download(name, file), setError).finally(() => setWanted(null))
  }, [wanted, value])
  return (
    <>
      <Group gap={4}>
        {FORMS.map((form) => (
          <Button
            key={form}
            size="compact-sm"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            aria-label={`Save as ${form.toUpperCase()}`}
            loading={wanted?.form === form}
            onClick={() => {
              setError(null)
              setWanted({ form, at: Date.now() })
            }}
          >
            {form.toUpperCase()}
          </Button>
        ))}
      </Group>
      {error !== null && (
        <ErrorAlert
          error={error}
          explanation={{
            title: 'No picture',
            text: 'The browser could not draw the file. Save it as SVG, or show fewer entities.',
          }}
        />
      )}
      {wanted !== null && (
        <div hidden>
          <GraphPicture shown={shown} at={wanted.at} cut={cut} drawing={drawing} />
        </div>
      )}
    </>
  )
}
