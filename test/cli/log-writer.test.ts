import { describe, expect, test } from 'bun:test'
import { createLogWriter, LOG_LINE_BYTES_MAX, type LogWriterOptions } from '../../src/cli/log-writer.ts'
import type { LogFields } from '../../src/core/log.ts'
import { HandClock } from '../support/clock.ts'

function lines(options: Partial<LogWriterOptions>, message: string, fields?: LogFields): string[] {
  const printed: string[] = []
  const clock = new HandClock()
  const print = (line: string): void => void printed.push(line)
  const log = createLogWriter({ format: 'json', level: 'info', colours: false, clock, print, ...options })
  log.write('debug', 'http', `${message} in detail`, fields)
  log.write('info', 'http', message, fields)
  return printed
}

function json(message: string, fields?: LogFields): Record<string, unknown> {
  return JSON.parse(lines({ format: 'json' }, message, fields)[0] ?? '')
}

test('an event is one JSON object with its fields beside time, level and source', () => {
  const event = json('request answered', { status: 200, stream: true, key: null, missing: undefined })
  expect(event).toMatchObject({ level: 'info', source: 'http', msg: 'request answered', status: 200, stream: true })
  expect(event).toHaveProperty('key', null)
  expect(event).not.toHaveProperty('missing')
})

test('a field cannot pass for the message, the level or the time', () => {
  expect(json('real', { msg: 'forged', level: 'debug', time: 'never' })).toMatchObject({ msg: 'real', level: 'info' })
})

test('a pretty line quotes what has spaces', () => {
  const [line] = lines({ format: 'pretty' }, 'request answered', { model: 'demo/echo', note: 'two words' })
  expect(line).toEndWith('info  http      request answered model=demo/echo note="two words"')
})

test('less important events are left out', () => {
  expect(lines({ level: 'debug' }, 'm')).toHaveLength(2)
  expect(lines({ level: 'warn' }, 'm')).toHaveLength(0)
})

describe('what others wrote cannot do harm', () => {
  const hostile = 'a\nb\r\u001b[2J\u0000\u009b\u202e\u2028c'

  for (const format of ['json', 'pretty'] as const) {
    test(`${format}: control characters are escaped`, () => {
      for (const line of lines({ format }, hostile, { text: hostile })) {
        // oxlint-disable-next-line no-control-regex -- finding control characters is the point
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/)
      }
    })

    test(`${format}: a line stays below its limit and stays whole`, () => {
      const fields = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`field${index}`, 'ü'.repeat(5_000)]))
      const [line = ''] = lines({ format }, 'ü'.repeat(100_000), fields)
      expect(Buffer.byteLength(line)).toBeLessThan(LOG_LINE_BYTES_MAX)
      expect(line).toContain('fields_left_out')
      if (format === 'json') expect(JSON.parse(line)).toHaveProperty('fields_left_out', true)
    })
  }

  test('secrets are left out, by their look and by the name of their field', () => {
    const [line] = lines({}, 'sent Bearer abc123def456ghi', {
      detail: 'key sk-ant-api03-AAAABBBB',
      password: 'hunter2',
    })
    expect(line).not.toMatch(/abc123|AAAABBBB|hunter2/)
  })
})
