// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.SizeAdvice;

/**
 * A point of the curve: the waits of the recorded requests with one size.
 *
 * @param connections the size
 * @param p50Nanos the median wait, nanoseconds
 * @param p99Nanos the 99th percentile, nanoseconds; the acquisition timeout if more than 1 % timed out
 * @param p999Nanos the 99.9th percentile, nanoseconds; the acquisition timeout if more than 0.1 % timed out
 * @param timedOut the share of requests that timed out, 0 to 1
 */
public record SizePoint(int connections, long p50Nanos, long p99Nanos, long p999Nanos, double timedOut)
        implements SizeAdvice.Point {}
