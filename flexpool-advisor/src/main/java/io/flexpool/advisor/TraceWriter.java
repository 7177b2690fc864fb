// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advisor.LeaseTrace.Ending;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * Writes requests into a file during the recording. After {@link #flush()} all added requests are in the file: a killed
 * program loses only later ones. For one thread.
 *
 * <p>A file takes at most half of the allowed bytes. Then it is renamed with the suffix {@code .1}, which replaces the
 * previous such file, and a new file begins. A reader reads both.
 */
public final class TraceWriter implements Closeable {
    private static final int SMALLEST = 65_536;
    private static final int BLOCK_BYTES = 32_768;
    /** The most bytes that a block can exceed its limit by: one call site, one request and their frame. */
    private static final int MORE_BYTES = TraceFormat.LONGEST_TEXT + 200;

    private static final int SITE_BITS = 2;

    private final Path file;
    private final Map<String, String> header;
    private final long mostBytes;
    private final int blockBytes;
    private final boolean anonymous;
    /** Whether the pool has classes: then each call site has a class. */
    private final boolean withClasses;
    /** The numbers of call sites, by class and name. */
    private final Map<String, Map<String, Integer>> sites = new HashMap<>();

    private int siteCount;
    /** The number of call sites whose names are in the current file. */
    private int writtenSites;
    /** Whether the full file has been renamed, but the next file could not be created. */
    private boolean between;

    private String currentClass = "";
    private final ByteArrayOutputStream requests = new ByteArrayOutputStream();
    private final ByteArrayOutputStream newSites = new ByteArrayOutputStream();
    private int count;
    private int newCount;
    private long lastArrival;
    private long lost;
    private FileChannel channel;

    /**
     * Creates a file; replaces a file or link of the same name. Only the program's user can read it, if the file system
     * supports such permissions.
     *
     * @param file the file
     * @param header facts on the pool: name, size, timeout, and as {@code classes} the names of its classes, without
     *     which the classes of requests are omitted; no secrets
     * @param mostBytes the maximum size of this file and the previous one together, in bytes, at least 65,536
     * @param anonymous whether call sites are omitted
     * @throws IOException if the file cannot be written
     * @throws IllegalArgumentException if {@code mostBytes} is too small
     */
    public TraceWriter(Path file, Map<String, String> header, long mostBytes, boolean anonymous) throws IOException {
        if (mostBytes < SMALLEST) {
            throw new IllegalArgumentException(
                    "a file of at most " + mostBytes + " bytes: must be at least " + SMALLEST);
        }
        this.file = file;
        this.header = new TreeMap<>(header);
        this.withClasses = header.containsKey(ClassLimits.CLASSES);
        this.mostBytes = mostBytes;
        this.blockBytes = (int) Math.min(BLOCK_BYTES, mostBytes / 8);
        this.anonymous = anonymous;
        Files.deleteIfExists(older(file));
        this.channel = begin();
    }

    /** The previous file, which is full. */
    static Path older(Path file) {
        return file.resolveSibling(file.getFileName() + ".1");
    }

    private FileChannel begin() throws IOException {
        FileChannel begun = PrivateFile.create(file);
        try {
            ByteBuffer start = ByteBuffer.allocate(TraceFormat.START_BYTES);
            writeAll(
                    begun,
                    start.putInt(TraceFormat.MAGIC)
                            // Without classes, writes the version that older programs can read.
                            .putInt(withClasses ? TraceFormat.WITH_CLASSES : TraceFormat.WITHOUT_CLASSES)
                            .flip());
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            TraceFormat.write(content, header.size());
            header.forEach((name, value) -> {
                TraceFormat.write(content, name);
                TraceFormat.write(content, value);
            });
            writeBlock(begun, TraceFormat.HEADER, content.toByteArray());
            return begun;
        } catch (IOException | RuntimeException | Error e) {
            begun.close();
            throw e;
        }
    }

    /**
     * Sets the class of all requests added from here.
     *
     * @param name its name; empty, the initial value, for none
     * @return this
     */
    public TraceWriter inClass(String name) {
        currentClass = withClasses ? name : "";
        return this;
    }

    /**
     * Adds a request, like {@link LeaseTrace.Builder#add}.
     *
     * @param arrivalNanos the arrival
     * @param waitNanos the wait, 0 or more
     * @param leaseNanos the length of the lease, 0 or more
     * @param how the ending
     * @param callSite the call site; empty if unknown
     * @param threadNumber identifies the thread; 0 if unknown
     * @param nested whether the thread held another connection
     * @throws IOException if a full block cannot be written
     */
    public void add(
            long arrivalNanos,
            long waitNanos,
            long leaseNanos,
            Ending how,
            String callSite,
            long threadNumber,
            boolean nested)
            throws IOException {
        int site = site(anonymous ? "" : callSite);
        // Requests are added in the order of their ends, so a difference may be negative: the last bit is its sign.
        long difference = count == 0 ? arrivalNanos : arrivalNanos - lastArrival;
        lastArrival = arrivalNanos;
        TraceFormat.write(requests, (difference << 1) ^ (difference >> (Long.SIZE - 1)));
        TraceFormat.write(requests, waitNanos);
        TraceFormat.write(requests, leaseNanos);
        TraceFormat.write(requests, (long) site << SITE_BITS | how.code);
        TraceFormat.write(requests, threadNumber << 1 | (nested ? 1 : 0));
        count++;
        if (requests.size() + newSites.size() >= blockBytes) {
            flush();
        }
    }

    /**
     * Adds a number of requests that were not recorded.
     *
     * @param requests the number, 0 or more
     */
    public void addLost(long requests) {
        lost += requests;
    }

    /** Drops and counts the unwritten requests: memory ran out, so they may be incomplete. */
    void discard() {
        lost += count;
        requests.reset();
        newSites.reset();
        count = 0;
        newCount = 0;
        sites.clear();
        siteCount = writtenSites;
    }

    private int site(String name) {
        Map<String, Integer> sitesOfClass = sites.computeIfAbsent(currentClass, any -> new HashMap<>());
        Integer known = sitesOfClass.get(name);
        if (known == null) {
            known = siteCount++;
            sitesOfClass.put(name, known);
            TraceFormat.write(newSites, name);
            if (withClasses) {
                TraceFormat.write(newSites, currentClass);
            }
            newCount++;
        }
        return known;
    }

    /**
     * Writes the added requests into the file as one block, or as two if requests were lost.
     *
     * @throws IOException if the block cannot be written; the requests stay for the next call
     */
    public void flush() throws IOException {
        if (between) {
            channel = begin();
            between = false;
        }
        if (lost > 0) {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            TraceFormat.write(content, lost);
            append(TraceFormat.LOST, content);
            lost = 0;
        }
        if (count == 0) {
            return;
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        TraceFormat.write(content, newCount);
        content.writeBytes(newSites.toByteArray());
        TraceFormat.write(content, count);
        content.writeBytes(requests.toByteArray());
        append(TraceFormat.REQUESTS, content);
        requests.reset();
        newSites.reset();
        count = 0;
        newCount = 0;
        writtenSites = siteCount;
        if (channel.position() + blockBytes + MORE_BYTES > mostBytes / 2) {
            rotate();
        }
    }

    private void append(byte kind, ByteArrayOutputStream content) throws IOException {
        long begin = channel.position();
        try {
            writeBlock(channel, kind, content.toByteArray());
        } catch (IOException | RuntimeException | Error e) {
            // Removes the incomplete block, which would hide all later blocks.
            channel.truncate(begin);
            throw e;
        }
    }

    private void rotate() throws IOException {
        channel.close();
        Files.move(file, older(file), StandardCopyOption.REPLACE_EXISTING);
        // Each file has the names of its call sites.
        sites.clear();
        siteCount = 0;
        writtenSites = 0;
        between = true;
        channel = begin();
        between = false;
    }

    private static void writeBlock(FileChannel to, byte kind, byte[] content) throws IOException {
        ByteBuffer block = ByteBuffer.allocate(TraceFormat.BEFORE_CONTENT + content.length + TraceFormat.AFTER_CONTENT);
        block.put(kind).putInt(content.length).put(content);
        CRC32C crc = new CRC32C();
        crc.update(block.slice(0, block.position()));
        block.putInt((int) crc.getValue()).flip();
        writeAll(to, block);
    }

    private static void writeAll(FileChannel to, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }

    /**
     * Writes the added requests, and closes the file.
     *
     * @throws IOException if it cannot be written
     */
    @Override
    public void close() throws IOException {
        try {
            flush();
        } finally {
            channel.close();
        }
    }
}
