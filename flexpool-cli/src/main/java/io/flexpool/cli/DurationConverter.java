// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import io.flexpool.spi.Texts;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A duration of more than zero, written as in flexpool's configuration. */
final class DurationConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        Duration read = Texts.duration(text.strip());
        if (read == null || read.isNegative() || read.isZero()) {
            throw new TypeConversionException(
                    "'" + text + "' must be a duration of more than zero, as in 10ms, 2s or PT0.5S");
        }
        return read;
    }
}
