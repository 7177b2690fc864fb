// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPartProvider;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records the requests of each pool into a file, if the key is set. Found by {@link java.util.ServiceLoader}; not meant
 * to be called.
 */
public final class RecordPartProvider implements PoolPartProvider {
    private static final String OFF = "off";
    /** Words of a switch, in any case, and the value that earlier versions accepted. They are no directories. */
    private static final Set<String> WORDS = Set.of("off", "on", "false", "true", "no", "yes", "none", "file");

    static final PartKey<String> RECORD = PartKey.text(
                    "record",
                    "off, or the path of a directory",
                    "Directory of request recordings, created if missing: one file per pool, with the pool's name."
                            + " The program flexpool reads the files.")
            .or(OFF, OFF);

    static final PartKey<Integer> MAX_BYTES = PartKey.count(
                    "record.max-bytes",
                    65_536,
                    1_000_000_000,
                    "Maximum size of the file. At this size flexpool overwrites the oldest half. The file of the previous run is kept.")
            .or(16_777_216, "16777216")
            .needing("record");

    static final PartKey<Boolean> ANONYMOUS = PartKey.flag(
                    "record.anonymous", false, "Leaves the application's call sites out of the file.")
            .needing("record");

    /** Called by the service loader. */
    public RecordPartProvider() {}

    @Override
    public String name() {
        return "recorder";
    }

    @Override
    public int order() {
        return 90;
    }

    @Override
    public List<PartKey<?>> keys() {
        return List.of(RECORD, MAX_BYTES, ANONYMOUS);
    }

    @Override
    public void check(PartSettings settings, PartSettings.Refusals refusals) {
        String directory = settings.need(RECORD);
        if (isOff(directory)) {
            return;
        }
        if (!isPath(directory)) {
            refusals.refuse(RECORD, directory, "must be " + RECORD.key().allowed());
        } else if (!isWritable(Path.of(directory))) {
            refusals.refuse(RECORD, directory, "must be a directory that this process can create or write");
        }
    }

    /** Checks the directory, or the lowest directory above it that exists, without creating any. */
    private static boolean isWritable(Path directory) {
        Path lowest = directory.toAbsolutePath();
        while (lowest.getParent() != null && !Files.exists(lowest)) {
            lowest = lowest.getParent();
        }
        return Files.isDirectory(lowest) && Files.isWritable(lowest);
    }

    /** YAML 1.1 reads an unquoted off as false. */
    private static boolean isOff(String text) {
        return text.equals(OFF) || text.equals("false");
    }

    private static boolean isPath(String text) {
        if (WORDS.contains(text.strip().toLowerCase(Locale.ROOT))) {
            return false;
        }
        try {
            // Refuses a URL, which would be a valid path with an unintended name.
            return !text.contains("://") && !Path.of(text.strip()).toString().isEmpty();
        } catch (InvalidPathException none) {
            return false;
        }
    }

    @Override
    public @Nullable PoolPart create(PartContext context) {
        PartSettings settings = context.settings();
        String directory = settings.need(RECORD);
        if (isOff(directory)) {
            return null;
        }
        FileRecorder recorder = new FileRecorder(new RecordRequest(
                context.name(),
                Path.of(directory),
                settings.need(MAX_BYTES),
                settings.need(ANONYMOUS),
                context.facts()));
        return new RecordPart(recorder);
    }
}
