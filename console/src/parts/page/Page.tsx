import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'

type Props = {
  title: string
  /** One sentence under the title. */
  about?: ReactNode
  /** Controls next to the title, for the whole page. */
  controls?: ReactNode
  children: ReactNode
}

/** A page: its heading, which gets the focus and names the tab, and its content. */
export function Page({ title, about, controls, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Harrier`
    heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <Stack gap="md">
      <Group justify="space-between" align="end" gap="sm">
        <Stack gap={2}>
          <Title order={1} size="h2" ref={heading} tabIndex={-1} className="value" ff="text">
            {title}
          </Title>
          {about && (
            <Text c="dimmed" size="sm">
              {about}
            </Text>
          )}
        </Stack>
        {controls}
      </Group>
      {children}
    </Stack>
  )
}
