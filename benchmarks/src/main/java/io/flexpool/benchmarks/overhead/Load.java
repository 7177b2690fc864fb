// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * How many threads share how many connections; on the command line {@code threads:pool}.
 *
 * @param threads threads that open and close, from 1; more than connections, and some wait
 * @param pool connections in the pool
 */
public record Load(int threads, int pool) {
    private static final int MOST = 1000;

    /** Reads {@code 2:4}. */
    public static final class Converter implements ITypeConverter<Load> {
        @Override
        public Load convert(String value) {
            if (value.matches("\\d{1,4}:\\d{1,4}")) {
                int colon = value.indexOf(':');
                int threads = Integer.parseInt(value.substring(0, colon));
                int pool = Integer.parseInt(value.substring(colon + 1));
                if (threads >= 1 && threads <= MOST && pool >= 2 && pool <= MOST) {
                    return new Load(threads, pool);
                }
            }
            throw new TypeConversionException("'" + value + "' must be threads:pool like 2:4, with 1 to " + MOST
                    + " threads and a pool of 2 to " + MOST);
        }
    }

    @Override
    public String toString() {
        return threads + ":" + pool;
    }
}
