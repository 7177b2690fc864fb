// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPartProvider;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records the requests of each pool into a file, if the key is set. Found by {@link java.util.ServiceLoader}; not meant
 * to be called.
 */
public final class RecordPartProvider implements PoolPartProvider {
    private static final String OFF = "off";
    /** The value that earlier versions accepted. */
    private static final String FILE = "file";

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
        if (!isPath(directory) || directory.strip().equals(FILE)) {
            refusals.refuse(RECORD, directory, "must be " + RECORD.key().allowed());
        }
    }

    private static boolean isPath(String text) {
        try {
            // Refuses a URL, which would be a valid path with unintended names.
            return !text.contains("://") && !Path.of(text.strip()).toString().isEmpty();
        } catch (InvalidPathException none) {
            return false;
        }
    }

    @Override
    public @Nullable PoolPart create(PartContext context) {
        PartSettings settings = context.settings();
        String directory = settings.need(RECORD);
        if (directory.equals(OFF)) {
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
