// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.spi.Texts;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Reads the configuration parameters of {@link LeaseRules}, and refuses invalid values with key and rule. */
record RuleParameters(ExtensionContext context) {
    private static final int FACTOR = 3;
    private static final int MOST_FACTOR = 100;
    private static final Duration FLOOR = Duration.ofMillis(100);

    private static final Duration MOST_FLOOR = Duration.ofHours(1);

    private @Nullable String value(String key) {
        return context.getConfigurationParameter(key).map(String::strip).orElse(null);
    }

    static IllegalArgumentException refused(String key, String value, String allowed) {
        return new IllegalArgumentException(key + " = " + value + ": " + allowed);
    }

    /** Empty for any number. */
    OptionalInt most() {
        String former = value("flexpool.leases.most");
        if (former != null) {
            throw refused("flexpool.leases.most", former, "is called " + LeaseRules.MAX_PARAMETER + " now");
        }
        String value = value(LeaseRules.MAX_PARAMETER);
        return value == null
                ? OptionalInt.empty()
                : OptionalInt.of(number(LeaseRules.MAX_PARAMETER, value, 0, Integer.MAX_VALUE));
    }

    private static int number(String key, String value, int least, int most) {
        Integer number = Texts.wholeNumber(value);
        if (number != null && number >= least && number <= most) {
            return number;
        }
        throw refused(key, value, range(least, most));
    }

    private static String range(int least, int most) {
        return "must be a whole number from " + least + (most == Integer.MAX_VALUE ? " on" : " to " + most);
    }

    boolean noIo() {
        return flag(LeaseRules.NO_IO_PARAMETER);
    }

    private boolean flag(String key) {
        String value = value(key);
        if (value == null || value.equals("false")) {
            return false;
        }
        if (value.equals("true")) {
            return true;
        }
        throw refused(key, value, "must be true or false");
    }

    boolean hasBaseline() {
        return value(LeaseRules.BASELINE_PARAMETER) != null;
    }

    /** The baseline to compare or to write; null without one. */
    @Nullable
    LeaseBaseline baseline() {
        String value = value(LeaseRules.BASELINE_PARAMETER);
        boolean written = flag(LeaseRules.WRITE_PARAMETER);
        if (value == null) {
            if (written) {
                throw refused(
                        LeaseRules.WRITE_PARAMETER, "true", "needs the file's name: " + LeaseRules.BASELINE_PARAMETER);
            }
            return null;
        }
        Path file = path(value);
        if (written) {
            Path folder = file.toAbsolutePath().getParent();
            if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(file)) {
                throw refused(LeaseRules.BASELINE_PARAMETER, value, "must be a file in a directory that exists");
            }
            return LeaseBaseline.toWrite(file);
        }
        return LeaseBaseline.read(file, value, factor(), floor());
    }

    private static Path path(String value) {
        try {
            return Path.of(value);
        } catch (InvalidPathException noPath) {
            throw (IllegalArgumentException) refused(LeaseRules.BASELINE_PARAMETER, value, "must be the path of a file")
                    .initCause(noPath);
        }
    }

    private int factor() {
        String value = value(LeaseRules.FACTOR_PARAMETER);
        return value == null ? FACTOR : number(LeaseRules.FACTOR_PARAMETER, value, 1, MOST_FACTOR);
    }

    private Duration floor() {
        String value = value(LeaseRules.FLOOR_PARAMETER);
        Duration floor = value == null ? FLOOR : Texts.duration(value);
        if (floor == null || floor.isNegative() || floor.compareTo(MOST_FLOOR) > 0) {
            throw refused(
                    LeaseRules.FLOOR_PARAMETER,
                    String.valueOf(value),
                    "must be a duration like PT0.1S or 100ms, up to " + MOST_FLOOR);
        }
        return floor;
    }
}
