import { Text, useComputedColorScheme } from '@mantine/core'
import type { EChartsCoreOption, EChartsType } from 'echarts/core'
import { useEffect, useRef, useState } from 'react'

type Props = {
  /** The accessible name of the chart. Show the numbers as a table or list next to the chart as well. */
  label: string
  option: EChartsCoreOption
  /** Pixels. */
  height?: number
  /** A part was clicked: its name, and its place in the data. */
  pick?: ((name: string, index: number) => void) | undefined
}

/** A chart; the library (170 KB) is loaded when the first one is shown. Drawn as SVG, so that its text is text. */
export function Chart({ label, option, height = 260, pick }: Props) {
  const element = useRef<HTMLDivElement>(null)
  const [chart, setChart] = useState<EChartsType | null>(null)
  const [failed, setFailed] = useState(false)
  const scheme = useComputedColorScheme('light')

  useEffect(() => {
    let made: EChartsType | undefined
    let gone = false
    import('./echarts.ts').then(
      ({ echarts }) => {
        if (gone || !element.current) return
        made = echarts.init(element.current, scheme === 'dark' ? 'dark' : null, { renderer: 'svg' })
        setChart(made)
      },
      () => setFailed(true),
    )
    const resized = new ResizeObserver(() => made?.resize())
    if (element.current) resized.observe(element.current)
    return () => {
      gone = true
      resized.disconnect()
      made?.dispose()
      setChart(null)
    }
  }, [scheme])

  useEffect(() => {
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    const aria = { enabled: true, label: { description: label } }
    chart?.setOption({ backgroundColor: 'transparent', aria, animation: !still, ...option }, true)
  }, [chart, option, label])

  useEffect(() => {
    if (!chart || !pick) return
    const picked = (event: { name: string; dataIndex: number }) => pick(event.name, event.dataIndex)
    chart.on('click', picked as never)
    return () => void (chart.isDisposed() || chart.off('click', picked as never))
  }, [chart, pick])

  if (failed) return <Text size="sm">The chart could not be loaded. The table below has its numbers.</Text>
  return <div ref={element} role="img" aria-label={label} style={{ width: '100%', height }} data-testid="chart" />
}
