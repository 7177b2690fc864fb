// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a workload of one's own from the file that is named. */
final class WorkloadConverter implements ITypeConverter<Workload> {
    WorkloadConverter() {}

    @Override
    public Workload convert(String value) {
        Path file = Path.of(value);
        if (!Files.isRegularFile(file)) {
            throw new TypeConversionException("'" + value + "' is no file");
        }
        try {
            return WorkloadFile.read(file);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        } catch (IOException e) {
            throw new TypeConversionException("'" + value + "' cannot be read: " + e.getMessage());
        }
    }
}
