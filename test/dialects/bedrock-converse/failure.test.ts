import { describe, expect, test } from 'bun:test'
import { bedrockConverse } from '../../../src/dialects/bedrock-converse/index.ts'

function failed(status: number, type: string | undefined, message: string) {
  const headers = new Headers({ 'content-type': 'application/json' })
  if (type !== undefined) headers.set('x-amzn-errortype', type)
  return bedrockConverse.decodeFailure(status, headers, JSON.stringify({ message }))
}

describe('what an error of AWS means', () => {
  // https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html (read 2026-11-21)
  const CASES: readonly (readonly [status: number, type: string | undefined, message: string, kind: string])[] = [
    [400, 'ValidationException', 'messages.0: the text field is blank', 'rejected'],
    [400, 'ValidationException', 'Input is too long for requested model.', 'context_too_long'],
    [400, 'ValidationException', 'The provided model identifier is invalid.', 'not_entitled'],
    [400, 'ValidationException', 'Invocation of model ID x with on-demand throughput isn’t supported.', 'not_entitled'],
    [400, 'ServiceQuotaExceededException', 'quota', 'rate_limit'],
    [400, 'ConflictException', 'conflict', 'rejected'],
    [400, 'ExpiredTokenException', 'The security token included in the request is expired', 'auth'],
    [401, undefined, 'no', 'auth'],
    [403, 'AccessDeniedException', "You don't have access to the model with the specified model ID.", 'not_entitled'],
    [403, 'AccessDeniedException', 'Authentication failed: Please make sure your API Key is valid.', 'auth'],
    [403, 'UnrecognizedClientException', 'The security token included in the request is invalid.', 'auth'],
    [403, 'InvalidSignatureException', 'The request signature we calculated does not match', 'auth'],
    [403, undefined, 'The security token included in the request is invalid.', 'auth'],
    [404, 'ResourceNotFoundException', 'The model version has reached the end of its life.', 'not_entitled'],
    [408, 'ModelTimeoutException', 'late', 'timeout'],
    [424, 'ModelErrorException', 'oops', 'server'],
    [429, 'ThrottlingException', 'Too many requests', 'rate_limit'],
    [429, 'ThrottlingException:http://internal.amazon.com/coral/com.amazon.coral.availability/', 'slow', 'rate_limit'],
    [429, 'ModelNotReadyException', 'not ready', 'overloaded'],
    [500, 'InternalServerException', 'oops', 'server'],
    [503, 'ServiceUnavailableException', 'later', 'overloaded'],
    [502, undefined, '<html>', 'server'],
    [418, 'SomethingNewException', 'tea', 'rejected'],
  ]
  for (const [status, type, message, kind] of CASES) {
    test(`${status} ${type ?? 'without a type'} "${message}" is ${kind}`, () => {
      expect(failed(status, type, message)).toMatchObject({ kind })
    })
  }

  test('the type may stand in the body, and the sentence under a capital letter', () => {
    const body = JSON.stringify({ __type: 'com.amazon.coral.service#UnrecognizedClientException', Message: 'no' })
    const { kind, detail } = bedrockConverse.decodeFailure(403, new Headers(), body)
    expect({ kind, detail }).toMatchObject({ kind: 'auth', detail: expect.stringContaining('no') })
  })

  test('the provider’s words reach the client only when they are about its request', () => {
    expect(failed(400, 'ValidationException', 'the text field is blank').message).toBe('the text field is blank')
    expect(failed(403, 'AccessDeniedException', 'arn:aws:iam::123456789012:user/x').message).not.toContain(
      '123456789012',
    )
  })
})
