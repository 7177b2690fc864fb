// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advisor.LeaseTrace.Ending;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The content of a trace file.
 *
 * @param header the header that the writer has stored
 * @param trace the requests, in the order of their arrival
 * @param blocks the number of complete blocks read, including headers
 * @param damage the damage of the first unreadable block, with its number; empty without one. The trace ends before
 *     that block.
 * @param cutOff whether a file ends within a block, for example after a kill of the program
 * @param lost the number of requests that were not recorded
 */
public record TraceFile(
        Map<String, String> header, LeaseTrace trace, int blocks, Optional<String> damage, boolean cutOff, long lost) {
    private static final int ENDING_BITS = 3;
    private static final int SITE_BITS = 2;

    /**
     * Copies the header.
     *
     * @param header see {@link #header()}
     * @param trace see {@link #trace()}
     * @param blocks see {@link #blocks()}
     * @param damage see {@link #damage()}
     * @param cutOff see {@link #cutOff()}
     * @param lost see {@link #lost()}
     */
    public TraceFile {
        header = Map.copyOf(header);
    }

    /**
     * Reads a file, after its full predecessor if that exists.
     *
     * @param file the newer file
     * @return the content of both, up to the first damage
     * @throws IOException if the file does not exist, or has another format or version; the message names the reason
     */
    public static TraceFile read(Path file) throws IOException {
        Reading reading = new Reading();
        Path older = TraceWriter.older(file);
        boolean rotated = Files.exists(older);
        if (rotated) {
            reading.read(older, false);
        }
        boolean olderCutOff = reading.cutOff;
        // The program may have been killed between the rename and the start of the newer file.
        if (reading.damage == null && !(rotated && Files.notExists(file))) {
            reading.read(file, rotated);
        }
        return new TraceFile(
                reading.header,
                reading.requests.build(),
                reading.blocks,
                Optional.ofNullable(reading.damage),
                olderCutOff || reading.cutOff,
                reading.lost);
    }

    /** The state of reading the files of one trace. */
    private static final class Reading {
        private final LeaseTrace.Builder requests = LeaseTrace.builder();
        private Map<String, String> header = Map.of();
        private List<String> sites = new ArrayList<>();
        /** The class of each call site; empty in files without classes. */
        private List<String> classes = new ArrayList<>();

        private boolean withClasses;
        private int blocks;
        private boolean cutOff;
        private long lost;
        /** The arrival of the first request. */
        private long begin = Long.MAX_VALUE;

        private @Nullable String damage;

        void read(Path file, boolean mayBeCutOff) throws IOException {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            if (mayBeCutOff && bytes.remaining() < TraceFormat.START_BYTES) {
                cutOff = true;
                return;
            }
            if (bytes.remaining() < TraceFormat.START_BYTES || bytes.getInt() != TraceFormat.MAGIC) {
                throw new IOException(file + ": not a file of requests that flexpool recorded with flexpool.record");
            }
            int version = bytes.getInt();
            if (version < TraceFormat.WITHOUT_CLASSES || version > TraceFormat.WITH_CLASSES) {
                throw new IOException(file + ": format version " + version + ", this program reads version "
                        + TraceFormat.WITHOUT_CLASSES + " and " + TraceFormat.WITH_CLASSES);
            }
            withClasses = version == TraceFormat.WITH_CLASSES;
            sites = new ArrayList<>();
            classes = new ArrayList<>();
            cutOff = false;
            int number = 0;
            while (bytes.hasRemaining() && damage == null && !cutOff) {
                number++;
                block(bytes, file.getFileName() + ", block " + number);
            }
        }

        private void block(ByteBuffer bytes, String where) {
            if (bytes.remaining() < TraceFormat.BEFORE_CONTENT) {
                cutOff = true;
                return;
            }
            int begin = bytes.position();
            byte kind = bytes.get();
            int length = bytes.getInt();
            if (length < 0 || length > TraceFormat.LONGEST_CONTENT) {
                damage = where + ": invalid block length, " + length + " bytes";
            } else if (bytes.remaining() < length + TraceFormat.AFTER_CONTENT) {
                cutOff = true;
            } else {
                ByteBuffer content = bytes.slice(bytes.position(), length);
                bytes.position(bytes.position() + length);
                CRC32C crc = new CRC32C();
                crc.update(bytes.slice(begin, TraceFormat.BEFORE_CONTENT + length));
                if (bytes.getInt() != (int) crc.getValue()) {
                    damage = where + ": its check sum does not match its content";
                } else {
                    take(kind, content, where);
                }
            }
        }

        private void take(byte kind, ByteBuffer content, String where) {
            try {
                switch (kind) {
                    case TraceFormat.HEADER -> header = header(content);
                    case TraceFormat.REQUESTS -> requests(content);
                    case TraceFormat.LOST -> lost += TraceFormat.number(content);
                    default -> throw new IllegalStateException("unknown block kind " + kind);
                }
                blocks++;
            } catch (IllegalStateException | IllegalArgumentException | BufferUnderflowException e) {
                damage = where + ": " + (e.getMessage() == null ? "ends too early" : e.getMessage());
            }
        }

        private static Map<String, String> header(ByteBuffer content) {
            Map<String, String> values = new HashMap<>();
            for (long left = TraceFormat.number(content); left > 0; left--) {
                values.put(TraceFormat.text(content), TraceFormat.text(content));
            }
            return values;
        }

        /** Limits the arrival of an open lease: a leak older than the file would lengthen the record by its age. */
        private long seen(long arrival, Ending ending) {
            if (ending == Ending.OPEN && begin != Long.MAX_VALUE) {
                return Math.max(begin, arrival);
            }
            begin = Math.min(begin, arrival);
            return arrival;
        }

        private void requests(ByteBuffer content) {
            for (long left = TraceFormat.number(content); left > 0; left--) {
                sites.add(TraceFormat.text(content));
                classes.add(withClasses ? TraceFormat.text(content) : "");
            }
            long arrival = 0;
            for (long left = TraceFormat.number(content); left > 0; left--) {
                long coded = TraceFormat.number(content);
                arrival += (coded >>> 1) ^ -(coded & 1);
                long wait = TraceFormat.number(content);
                long lease = TraceFormat.number(content);
                long place = TraceFormat.number(content);
                long site = place >>> SITE_BITS;
                Ending ending = Ending.of((int) place & ENDING_BITS);
                if (site >= sites.size()) {
                    throw new IllegalStateException("call site " + site + " does not exist");
                }
                long thread = TraceFormat.number(content);
                boolean nested = (thread & 1) != 0;
                requests.inClass(classes.get((int) site))
                        .add(seen(arrival, ending), wait, lease, ending, sites.get((int) site), thread >>> 1, nested);
            }
        }
    }
}
