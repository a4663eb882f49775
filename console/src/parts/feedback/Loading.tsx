import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'

/** The shape of what is being loaded; `lines` of text, or one block of `height` pixels. */
export function Loading({ lines = 6, height }: { lines?: number; height?: number }) {
  return (
    <Stack gap="xs" role="status" aria-busy data-testid="waiting">
      <VisuallyHidden>Loading</VisuallyHidden>
      {height === undefined ? (
        Array.from({ length: lines }, (_, line) => 96 - 3 * line).map((width) => (
          <Skeleton key={width} height={18} width={`${width}%`} />
        ))
      ) : (
        <Skeleton height={height} />
      )}
    </Stack>
  )
}
