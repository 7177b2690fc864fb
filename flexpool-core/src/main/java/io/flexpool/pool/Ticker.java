// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

/**
 * flexpool's clock. Tests supply another one, and need not wait for time to pass.
 *
 * <p>Implementations must be thread-safe, must not throw, and must not go backwards.
 */
@FunctionalInterface
public interface Ticker {
    /** The system's monotonic clock, {@link System#nanoTime()}. */
    Ticker SYSTEM = new Ticker() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }
    };

    /** {@return nanoseconds since an arbitrary origin, comparable by subtraction only} */
    long nanos();
}
