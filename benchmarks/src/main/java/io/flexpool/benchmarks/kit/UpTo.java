// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

/** The ranges that several options have: whole numbers from 1. */
public final class UpTo {
    private static final int HUNDRED = 100;
    private static final int THOUSAND = 1_000;
    private static final int TEN_THOUSAND = 10_000;
    private static final int MILLIS_OF_A_MINUTE = 60_000;
    private static final int SECONDS_OF_AN_HOUR = 3_600;

    private UpTo() {}

    /** From 1 to 100. */
    public static final class AHundred extends CountConverter {
        /** Made by the command line parser. */
        public AHundred() {
            super(HUNDRED);
        }
    }

    /** From 1 to 1,000. */
    public static final class AThousand extends CountConverter {
        /** Made by the command line parser. */
        public AThousand() {
            super(THOUSAND);
        }
    }

    /** From 1 to 10,000. */
    public static final class TenThousand extends CountConverter {
        /** Made by the command line parser. */
        public TenThousand() {
            super(TEN_THOUSAND);
        }
    }

    /** Milliseconds, up to a minute. */
    public static final class MillisOfAMinute extends CountConverter {
        /** Made by the command line parser. */
        public MillisOfAMinute() {
            super(MILLIS_OF_A_MINUTE);
        }
    }

    /** Seconds, up to an hour. */
    public static final class SecondsOfAnHour extends CountConverter {
        /** Made by the command line parser. */
        public SecondsOfAnHour() {
            super(SECONDS_OF_AN_HOUR);
        }
    }
}
