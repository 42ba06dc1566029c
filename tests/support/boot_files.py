"""Boot files as they are found on cards: as published, empty, and edited by a user."""

STOCK_CONFIG = """\
# For more options and information see
# http://rptl.io/configtxt
# Some settings may impact device functionality. See link above for details

# Uncomment some or all of these to enable the optional hardware interfaces
#dtparam=i2c_arm=on
#dtparam=i2s=on
#dtparam=spi=on

# Enable audio (loads snd_bcm2835)
dtparam=audio=on

# Additional overlays and parameters are documented
# /boot/firmware/overlays/README

# Automatically load overlays for detected cameras
camera_auto_detect=1

# Automatically load overlays for detected DSI displays
display_auto_detect=1

# Automatically load initramfs files, if found
auto_initramfs=1

# Enable DRM VC4 V3D driver
dtoverlay=vc4-kms-v3d
max_framebuffers=2

# Don't have the firmware create an initial video= setting in cmdline.txt.
# Use the kernel's default instead.
disable_fw_kms_setup=1

# Run in 64-bit mode
arm_64bit=1

# Disable compensation for displays with overscan
disable_overscan=1

# Run as fast as firmware / board allows
arm_boost=1

[cm4]
# Enable host mode on the 2711 built-in XHCI USB controller.
# This line should be removed if the legacy DWC2 controller is required
# (e.g. for USB device mode) or if USB support is not required.
otg_mode=1

[cm5]
dtoverlay=dwc2,dr_mode=host

[all]
"""

STOCK_CMDLINE = (
    "console=serial0,115200 console=tty1 root=PARTUUID=0a1b2c3d-02 rootfstype=ext4 fsck.repair=yes rootwait "
    "cfg80211.ieee80211_regdom=DE\n"
)

EDITED_CONFIG = (
    "# my settings\r\n"
    "dtparam=spi=on\r\n"
    "dtparam=i2c_arm=on\r\n"
    "enable_uart=1\r\n"
    "dtoverlay=w1-gpio\r\n"
    "gpio=23=op,dh\r\n"
    "[pi4]\r\n"
    "dtoverlay=gpio-fan,gpiopin=14,temp=60000\r\n"
    "over_voltage=2"
)

EDITED_CMDLINE = (
    'root=/dev/sda2  rootwait loglevel=7 console=tty1 console=ttyAMA0,115200 foo="a b" video=HDMI-A-1:1280x720@60 quiet'
)

BOOT_FILES = {
    "stock": (STOCK_CONFIG, STOCK_CMDLINE),
    "empty": ("", ""),
    "edited": (EDITED_CONFIG, EDITED_CMDLINE),
}
"""Kind of card -> `config.txt` and `cmdline.txt`."""
